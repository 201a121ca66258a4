#include "textflag.h"

// func dilateAVX2(acc, lowest, left, right *float32, step int, taps *float32, count, blocks int)
//
// Y0-Y3 hold the 32 cells of a block, Y8 the tap. DI, SI, R8 and R9 walk over the blocks, AX and BX over
// the pairs of a block.
TEXT ·dilateAVX2(SB), NOSPLIT, $0-64
	MOVQ acc+0(FP), DI
	MOVQ lowest+8(FP), SI
	MOVQ left+16(FP), R8
	MOVQ right+24(FP), R9
	MOVQ step+32(FP), R10
	MOVQ taps+40(FP), R11
	MOVQ count+48(FP), R12
	MOVQ blocks+56(FP), R13
	SHLQ $2, R10

block:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	MOVQ    R8, AX
	MOVQ    R9, BX
	MOVQ    R11, CX
	MOVQ    R12, DX

tap:
	VBROADCASTSS (CX), Y8
	VMOVUPS      (AX), Y4
	VMOVUPS      32(AX), Y5
	VMOVUPS      64(AX), Y6
	VMOVUPS      96(AX), Y7
	VMAXPS       (BX), Y4, Y4
	VMAXPS       32(BX), Y5, Y5
	VMAXPS       64(BX), Y6, Y6
	VMAXPS       96(BX), Y7, Y7
	VADDPS       Y8, Y4, Y4
	VADDPS       Y8, Y5, Y5
	VADDPS       Y8, Y6, Y6
	VADDPS       Y8, Y7, Y7
	VMAXPS       Y4, Y0, Y0
	VMAXPS       Y5, Y1, Y1
	VMAXPS       Y6, Y2, Y2
	VMAXPS       Y7, Y3, Y3
	SUBQ         R10, AX
	ADDQ         R10, BX
	ADDQ         $4, CX
	DECQ         DX
	JNZ          tap

	VMOVUPS      Y0, (DI)
	VMOVUPS      Y1, 32(DI)
	VMOVUPS      Y2, 64(DI)
	VMOVUPS      Y3, 96(DI)
	VMINPS       Y0, Y1, Y0
	VMINPS       Y2, Y3, Y2
	VMINPS       Y0, Y2, Y0
	VEXTRACTF128 $1, Y0, X1
	VMINPS       X0, X1, X0
	VPSHUFD      $0x4E, X0, X1
	VMINPS       X0, X1, X0
	VPSHUFD      $0xB1, X0, X1
	VMINPS       X0, X1, X0
	VMOVSS       X0, (SI)
	ADDQ         $128, DI
	ADDQ         $128, R8
	ADDQ         $128, R9
	ADDQ         $4, SI
	DECQ         R13
	JNZ          block
	VZEROUPPER
	RET

// func maxRowsAVX2(dst, a, b *float32, n int)
TEXT ·maxRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), BX
	MOVQ n+24(FP), CX

row:
	VMOVUPS (SI), Y0
	VMAXPS  (BX), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, BX
	ADDQ    $32, DI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET
