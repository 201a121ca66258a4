#include "textflag.h"

// Four places lie in three vectors, x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3; FOUR takes them to X0, X1 and X2 by
// coordinate.
#define FOUR(from) \
	VMOVUPS   0(from), X3           \
	VMOVUPS   16(from), X4          \
	VMOVUPS   32(from), X5          \
	VBLENDPS  $4, X4, X3, X0        \
	VBLENDPS  $2, X5, X0, X0        \
	VPERMILPS $0x6c, X0, X0         \
	VBLENDPS  $9, X4, X3, X1        \
	VBLENDPS  $4, X5, X1, X1        \
	VPERMILPS $0xb1, X1, X1         \
	VBLENDPS  $2, X4, X3, X2        \
	VBLENDPS  $9, X5, X2, X2        \
	VPERMILPS $0xc6, X2, X2

// ALONG computes one coordinate of four places, from Y0, Y1 and Y2, by the row of the turning at row(DX).
#define ALONG(row, y, x) \
	VMULPD     row+0(DX), Y0, y      \
	VMULPD     row+32(DX), Y1, Y3    \
	VADDPD     Y3, y, y              \
	VMULPD     row+64(DX), Y2, Y3    \
	VADDPD     Y3, y, y              \
	VADDPD     row+96(DX), y, y      \
	VCVTTPD2DQY y, x                 \
	VPSUBD     X9, x, x

// func turnFours(dst *viewPoint, src *[3]float32, n int, m *turning)
TEXT ·turnFours(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         m+24(FP), DX
	MOVL         $0x2000000, AX // roundBias
	VMOVD        AX, X9
	VPBROADCASTD X9, X9
	VPXOR        X8, X8, X8

loop:
	FOUR(SI)
	VCVTPS2PD   X0, Y0
	VCVTPS2PD   X1, Y1
	VCVTPS2PD   X2, Y2
	ALONG(0, Y4, X4)
	ALONG(128, Y5, X5)
	ALONG(256, Y6, X6)
	VPUNPCKLDQ  X5, X4, X0
	VPUNPCKHDQ  X5, X4, X1
	VPUNPCKLDQ  X8, X6, X2
	VPUNPCKHDQ  X8, X6, X3
	VPUNPCKLQDQ X2, X0, X4
	VPUNPCKHQDQ X2, X0, X5
	VPUNPCKLQDQ X3, X1, X6
	VPUNPCKHQDQ X3, X1, X7
	VMOVDQU     X4, 0(DI)
	VMOVDQU     X5, 16(DI)
	VMOVDQU     X6, 32(DI)
	VMOVDQU     X7, 48(DI)
	ADDQ        $48, SI
	ADDQ        $64, DI
	DECQ        CX
	JNZ         loop
	VZEROUPPER
	RET

// func faceFours(normals *[3]float32, n int, d *[3]float32, least float32) uint64
TEXT ·faceFours(SB), NOSPLIT, $0-40
	MOVQ         normals+0(FP), SI
	MOVQ         n+8(FP), R8
	MOVQ         d+16(FP), DX
	VBROADCASTSS 0(DX), X6
	VBROADCASTSS 4(DX), X7
	VBROADCASTSS 8(DX), X8
	VBROADCASTSS least+24(FP), X9
	XORQ         AX, AX
	XORL         CX, CX

loop:
	FOUR(SI)
	VMULPS    X6, X0, X0
	VMULPS    X7, X1, X1
	VMULPS    X8, X2, X2
	VADDPS    X1, X0, X0
	VADDPS    X2, X0, X0
	VCMPPS    $5, X9, X0, X0 // not less
	VMOVMSKPS X0, BX
	SHLQ      CX, BX
	ORQ       BX, AX
	ADDQ      $48, SI
	ADDQ      $4, CX
	DECQ      R8
	JNZ       loop
	MOVQ      AX, ret+32(FP)
	RET

// func enterVectors(dst *int32, f *facets, n int, d *[3]float32, first int, places *uint64) (count int)
TEXT ·enterVectors(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         f+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         d+24(FP), DX
	MOVQ         places+40(FP), R8
	VBROADCASTSS 0(DX), Y6
	VBROADCASTSS 4(DX), Y7
	VBROADCASTSS 8(DX), Y8
	VPBROADCASTD first+32(FP), Y9
	VPCMPEQD     Y10, Y10, Y10
	VPSRLD       $31, Y10, Y10
	VPSLLD       $3, Y10, Y10 // eight

loop:
	VMULPS    0(SI), Y6, Y0
	VMULPS    32(SI), Y7, Y1
	VMULPS    64(SI), Y8, Y2
	VADDPS    Y1, Y0, Y0
	VADDPS    Y2, Y0, Y0
	VCMPPS    $1, 96(SI), Y0, Y0 // less
	VMOVMSKPS Y0, BX
	VPMOVZXBD (R8)(BX*8), Y1
	VPADDD    Y9, Y1, Y1
	VPADDD    Y10, Y9, Y9
	VMOVDQU   Y1, (DI)           // the next group writes over those that are not chosen
	POPCNTL   BX, BX
	LEAQ      (DI)(BX*4), DI
	ADDQ      $128, SI
	DECQ      CX
	JNZ       loop
	SUBQ      dst+0(FP), DI
	SHRQ      $2, DI
	MOVQ      DI, count+48(FP)
	VZEROUPPER
	RET
