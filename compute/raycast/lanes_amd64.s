#include "go_asm.h"
#include "textflag.h"

// In the loop of nextAVX2: Y8 to Y10 hold the origin, Y11 to Y13 the inverse of the direction, R8 to R13 how far into
// a node the sides stand that the ray enters by and leaves by, along x, y and z.

// AXIS loads what belongs to axis k.
#define AXIS(k, origin, inverse, near, far) \
	VBROADCASTSS (ray_org+4*k)(DI), origin  \
	VBROADCASTSS (ray_inv+4*k)(DI), inverse \
	MOVQ         (ray_near+8*k)(DI), near   \
	MOVQ         $(96+64*k), far            \
	SUBQ         near, far

// SIDES raises Y0 to where the ray enters all boxes along an axis and lowers Y1 to where it leaves them.
#define SIDES(origin, inverse, near, far) \
	VMOVUPS (AX)(near*1), Y2    \
	VMOVUPS (AX)(far*1), Y3     \
	VSUBPS  origin, Y2, Y2      \
	VSUBPS  origin, Y3, Y3      \
	VMULPS  inverse, Y2, Y2     \
	VMULPS  inverse, Y3, Y3     \
	VMAXPS  Y2, Y0, Y0          \
	VMINPS  Y3, Y1, Y1

// func nextAVX2(w *walk) int32
TEXT ·nextAVX2(SB), NOSPLIT, $0-12
	MOVQ w+0(FP), DI
	MOVQ walk_nodes(DI), SI
	MOVQ walk_top(DI), CX
	LEAQ walk_stack(DI), DX
	LEAQ (DX)(CX*8), CX     // end of the stack
	AXIS(0, Y8, Y11, R8, R9)
	AXIS(1, Y9, Y12, R10, R11)
	AXIS(2, Y10, Y13, R12, R13)
	VBROADCASTSS ray_from(DI), Y14
	VBROADCASTSS ray_to(DI), Y15

pop:
	CMPQ     CX, DX
	JEQ      empty
	SUBQ     $8, CX
	MOVSS    (CX), X0
	UCOMISS  X15, X0
	JHI      pop
	MOVLQSX  4(CX), AX
	TESTQ    AX, AX
	JLT      leaf
	IMULQ    $224, AX        // bytes of a node
	ADDQ     SI, AX
	VMOVAPS  Y14, Y0
	VMOVAPS  Y15, Y1
	SIDES(Y8, Y11, R8, R9)
	SIDES(Y9, Y12, R10, R11)
	SIDES(Y10, Y13, R12, R13)
	VMOVUPS  Y0, walk_near(DI)
	VCMPPS   $2, Y1, Y0, Y0  // enter <= leave
	VMOVMSKPS Y0, BX
	MOVQ     CX, R15         // where the children of this node begin
	JMP      more

push:
	BSFQ     BX, DX
	LEAQ     -1(BX), R14
	ANDQ     R14, BX
	MOVSS    walk_near(DI)(DX*4), X0
	MOVL     192(AX)(DX*4), DX // the child
	MOVQ     CX, R14
	ADDQ     $8, CX

sink:
	CMPQ     R14, R15
	JEQ      put
	MOVSS    -8(R14), X1
	UCOMISS  X0, X1          // what lies below is nearer: it goes up
	JCC      put
	MOVQ     -8(R14), X2
	MOVQ     X2, (R14)
	SUBQ     $8, R14
	JMP      sink

put:
	MOVSS    X0, (R14)
	MOVL     DX, 4(R14)

more:
	TESTQ    BX, BX
	JNE      push
	LEAQ     walk_stack(DI), DX
	JMP      pop

leaf:
	LEAQ     walk_stack(DI), DX
	SUBQ     DX, CX
	SHRQ     $3, CX
	MOVQ     CX, walk_top(DI)
	VZEROUPPER
	MOVL     AX, ret+8(FP)
	RET

empty:
	MOVQ     $0, walk_top(DI)
	VZEROUPPER
	MOVL     $0, ret+8(FP)
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
	MOVQ         (ray_corner+0)(BX), CX
	MOVQ         (ray_corner+8)(BX), DX
	MOVQ         (ray_corner+16)(BX), R8
	VBROADCASTSS (ray_base+0)(BX), Y6
	VBROADCASTSS (ray_base+4)(BX), Y7
	VBROADCASTSS (ray_base+8)(BX), Y8
	VBROADCASTSS (ray_shear+0)(BX), Y9
	VBROADCASTSS (ray_shear+4)(BX), Y10
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
