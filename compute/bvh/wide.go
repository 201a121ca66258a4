package bvh

// The wide tree.
//
// Method: the binary tree, in which every inner node takes up its grandchildren, the one with the largest surface
// first, until it has eight children (I. Wald, C. Benthin, S. Boulos, "Getting rid of packets", IEEE RT 2008). A
// subtree of up to eight triangles becomes one leaf, whose triangles lie side by side as a vector unit takes them.
//
// Cost: linear; some 60 bytes per triangle.

// Lanes is the width of the wide tree: of a vector unit that takes 8 numbers of 32 bits.
const Lanes = 8

// WideNode has up to eight children. Where there is no child the box is inside out.
type WideNode struct {
	Box   [6][Lanes]float32 // low x, y and z, then high x, y and z; mm from the middle
	Child [Lanes]int32      // a node, or for a leaf ^(first block << 2 | blocks - 1)
}

// Block holds up to eight triangles of a leaf. Lanes beyond Count repeat the first.
type Block struct {
	Corner [9][Lanes]float32 // x, y, z of the first corner, of the second, of the third; mm from the middle
	ID     [Lanes]int32      // the number in the mesh
	Count  int32
}

// Wide is a Tree of eight children per node. The root is node 0.
type Wide struct {
	Nodes  []WideNode
	Blocks []Block
}

// Wide returns the wide form; it is made at the first call. It is not to be changed.
func (t *Tree) Wide() *Wide { return t.wide() }

func (t *Tree) widen() *Wide {
	w := &widener{tree: t, count: make([]int32, len(t.nodes)), out: &Wide{}}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if n := &t.nodes[i]; n.Leaf != 0 {
			w.count[i] = int32(n.Leaf & leafMax)
		} else {
			w.count[i] = w.count[i+1] + w.count[t.nodes[i+1].Skip]
		}
	}
	if len(t.nodes) > 0 {
		w.node([]int32{0})
	}
	return w.out
}

type widener struct {
	tree  *Tree
	count []int32 // triangles below each node
	out   *Wide
}

func (w *widener) isLeaf(i int32) bool { return w.count[i] <= Lanes || w.tree.nodes[i].Leaf != 0 }

// node adds a node over the subtrees at some nodes, and all below it, and returns its number.
func (w *widener) node(roots []int32) int32 {
	var room [Lanes]int32
	kids := append(room[:0], roots...)
	for len(kids) < Lanes {
		largest, most := -1, float64(-1)
		for i, k := range kids {
			if n := &w.tree.nodes[k]; !w.isLeaf(k) && halfArea(n.Lo, n.Hi) > most {
				largest, most = i, halfArea(n.Lo, n.Hi)
			}
		}
		if largest < 0 {
			break
		}
		first := kids[largest] + 1
		kids[largest] = first
		kids = append(kids, w.tree.nodes[first].Skip)
	}
	at := int32(len(w.out.Nodes))
	w.out.Nodes = append(w.out.Nodes, WideNode{})
	var n WideNode
	for i := range Lanes {
		for k := range 3 {
			n.Box[k][i], n.Box[k+3][i] = inf32, -inf32
		}
	}
	for i, k := range kids {
		from := &w.tree.nodes[k]
		for a := range 3 {
			n.Box[a][i], n.Box[a+3][i] = from.Lo[a], from.Hi[a]
		}
		if w.isLeaf(k) {
			n.Child[i] = w.leaf(k)
		} else {
			n.Child[i] = w.node([]int32{k + 1, w.tree.nodes[k+1].Skip})
		}
	}
	w.out.Nodes[at] = n
	return at
}

// leaf adds the triangles below a node and returns what stands for them.
func (w *widener) leaf(node int32) int32 {
	first := node
	for w.tree.nodes[first].Leaf == 0 {
		first++
	}
	from, count := int32(w.tree.nodes[first].Leaf>>leafBits), w.count[node]
	at, blocks := int32(len(w.out.Blocks)), (count+Lanes-1)/Lanes
	for b := range blocks {
		var block Block
		block.Count = min(count-b*Lanes, Lanes)
		for lane := range int32(Lanes) {
			t := from + b*Lanes
			if lane < block.Count {
				t += lane
			}
			block.ID[lane] = w.tree.ids[t]
			for c, v := range w.tree.tris[t] {
				for k, x := range w.tree.points[v] {
					block.Corner[3*c+k][lane] = x
				}
			}
		}
		w.out.Blocks = append(w.out.Blocks, block)
	}
	return ^(at<<blockBits | (blocks - 1))
}

const blockBits = 2

// Leaf returns the blocks of a leaf that stands among the children of a node.
func (w *Wide) Leaf(child int32) []Block {
	first := ^child >> blockBits
	return w.Blocks[first : first+^child&(1<<blockBits-1)+1]
}

var _ [1<<blockBits - (leafMax+Lanes-1)/Lanes]struct{} // a leaf has no more blocks than can be counted
