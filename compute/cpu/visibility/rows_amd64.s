#include "textflag.h"

// func drawVectors(o *occluder, r *rows)
TEXT ·drawVectors(SB), NOSPLIT, $0-16
	MOVQ o+0(FP), AX
	MOVQ r+8(FP), BX
	MOVQ 0(BX), SI  // x
	MOVQ 8(BX), DI  // y
	MOVQ 16(BX), DX // z
	MOVQ 24(BX), R8 // start of the row
	MOVQ 32(BX), R9 // stride
	MOVQ 40(BX), R10 // width
	MOVQ 48(BX), R11 // rows left

	VBROADCASTSD 0(AX), Y0 // a
	VBROADCASTSD 8(AX), Y1
	VBROADCASTSD 16(AX), Y2
	VBROADCASTSD 24(AX), Y3 // b
	VBROADCASTSD 32(AX), Y4
	VBROADCASTSD 40(AX), Y5
	VBROADCASTSD 48(AX), Y6 // c
	VBROADCASTSD 56(AX), Y7
	VBROADCASTSD 64(AX), Y8
	VPBROADCASTD 104(AX), X9 // top

row:
	MOVLQSX (R8), CX         // sample
	MOVLQSX (R8)(R10*1), R12 // end of the run
	ADDQ    R9, R8
	CMPQ    CX, R12
	JGE     next

four:
	VPCMPGTD  (DX)(CX*4), X9, X11 // below the top
	VMOVMSKPS X11, R13
	TESTL     R13, R13
	JZ        skip

	VCVTDQ2PD    (SI)(CX*4), Y10
	VCVTDQ2PD    (DI)(CX*4), Y11
	VMOVAPD      Y6, Y12
	VMOVAPD      Y7, Y13
	VMOVAPD      Y8, Y14
	VFMADD231PD  Y10, Y0, Y12
	VFMADD231PD  Y10, Y1, Y13
	VFMADD231PD  Y10, Y2, Y14
	VFMADD231PD  Y11, Y3, Y12
	VFMADD231PD  Y11, Y4, Y13
	VFMADD231PD  Y11, Y5, Y14
	VORPD        Y12, Y13, Y15 // the sign bit is set outside
	VORPD        Y14, Y15, Y15
	VMOVMSKPD    Y15, BX
	NOTL         BX
	ANDL         BX, R13
	JZ           skip

	VBROADCASTSD 72(AX), Y15 // z of the corners
	VMULPD       Y15, Y12, Y12
	VBROADCASTSD 80(AX), Y15
	VMULPD       Y15, Y13, Y13
	VADDPD       Y13, Y12, Y12
	VBROADCASTSD 88(AX), Y15
	VMULPD       Y15, Y14, Y14
	VADDPD       Y14, Y12, Y12
	VCVTDQ2PD    (DX)(CX*4), Y10
	VBROADCASTSD 96(AX), Y15 // area
	VMULPD       Y15, Y10, Y10
	VCMPPD       $0x1e, Y10, Y12, Y11 // greater
	VMOVMSKPD    Y11, BX
	ANDL         BX, R13
	JZ           skip

mark:
	BSFL R13, BX
	ADDQ CX, BX
	MOVL $0x7fffffff, (DX)(BX*4) // blocked
	LEAL -1(R13), BX
	ANDL BX, R13
	JNZ  mark

skip:
	ADDQ $4, CX
	CMPQ CX, R12
	JLT  four

next:
	DECQ R11
	JNZ  row
	VZEROUPPER
	RET
