#include "textflag.h"

// Offsets in ray.
#define ORG 0
#define INV 12
#define FROM 24
#define TO 28
#define NEAR 32
#define SHEAR 56
#define BASE 64
#define CORNER 80

// SIDES intersects the sides of all boxes along axis k: Y0 is raised to where the ray enters them, Y1 lowered to where
// it leaves them. The far sides stand 96 bytes after the near ones, or before.
#define SIDES(k) \
	MOVQ         (NEAR+8*k)(BX), CX    \
	MOVQ         $(96+64*k), R8        \
	SUBQ         CX, R8                \
	VBROADCASTSS (ORG+4*k)(BX), Y2     \
	VBROADCASTSS (INV+4*k)(BX), Y3     \
	VMOVUPS      (AX)(CX*1), Y4        \
	VMOVUPS      (AX)(R8*1), Y5        \
	VSUBPS       Y2, Y4, Y4            \
	VSUBPS       Y2, Y5, Y5            \
	VMULPS       Y3, Y4, Y4            \
	VMULPS       Y3, Y5, Y5            \
	VMAXPS       Y4, Y0, Y0            \
	VMINPS       Y5, Y1, Y1

// func boxesAVX2(n *bvh.WideNode, r *ray, near *[8]float32) uint32
TEXT ·boxesAVX2(SB), NOSPLIT, $0-28
	MOVQ         n+0(FP), AX
	MOVQ         r+8(FP), BX
	MOVQ         near+16(FP), DX
	VBROADCASTSS FROM(BX), Y0
	VBROADCASTSS TO(BX), Y1
	SIDES(0)
	SIDES(1)
	SIDES(2)
	VMOVUPS      Y0, (DX)
	VCMPPS       $2, Y1, Y0, Y0 // enter <= leave
	VMOVMSKPS    Y0, AX
	VZEROUPPER
	MOVL         AX, ret+24(FP)
	RET

// SHEARED leaves the x and y of a corner in registers.
#define SHEARED(corner, x, y) \
	VMOVUPS (96*corner)(AX)(R8*1), Y15  \
	VMOVUPS (96*corner)(AX)(CX*1), x    \
	VMOVUPS (96*corner)(AX)(DX*1), y    \
	VSUBPS  Y8, Y15, Y15                \
	VSUBPS  Y6, x, x                    \
	VSUBPS  Y7, y, y                    \
	VMULPS  Y9, Y15, Y14                \
	VMULPS  Y10, Y15, Y15               \
	VSUBPS  Y14, x, x                   \
	VSUBPS  Y15, y, y

// EDGE leaves p·q - s·t in Y15.
#define EDGE(p, q, s, t) \
	VMULPS q, p, Y15     \
	VMULPS t, s, Y14     \
	VSUBPS Y14, Y15, Y15

// func trianglesAVX2(b *bvh.Block, r *ray) uint32
TEXT ·trianglesAVX2(SB), NOSPLIT, $0-20
	MOVQ         b+0(FP), AX
	MOVQ         r+8(FP), BX
	MOVQ         (CORNER+0)(BX), CX
	MOVQ         (CORNER+8)(BX), DX
	MOVQ         (CORNER+16)(BX), R8
	VBROADCASTSS (BASE+0)(BX), Y6
	VBROADCASTSS (BASE+4)(BX), Y7
	VBROADCASTSS (BASE+8)(BX), Y8
	VBROADCASTSS (SHEAR+0)(BX), Y9
	VBROADCASTSS (SHEAR+4)(BX), Y10
	SHEARED(0, Y0, Y1)
	SHEARED(1, Y2, Y3)
	SHEARED(2, Y4, Y5)
	EDGE(Y4, Y3, Y5, Y2)
	VMOVAPS      Y15, Y12           // least
	VMOVAPS      Y15, Y13           // greatest
	EDGE(Y0, Y5, Y1, Y4)
	VMINPS       Y15, Y12, Y12
	VMAXPS       Y15, Y13, Y13
	EDGE(Y2, Y1, Y3, Y0)
	VMINPS       Y15, Y12, Y12
	VMAXPS       Y15, Y13, Y13
	VXORPS       Y11, Y11, Y11
	VCMPPS       $1, Y11, Y12, Y12 // least < 0
	VCMPPS       $1, Y13, Y11, Y13 // 0 < greatest
	VANDPS       Y12, Y13, Y12
	VMOVMSKPS    Y12, AX
	XORL         $255, AX
	VZEROUPPER
	MOVL         AX, ret+16(FP)
	RET
