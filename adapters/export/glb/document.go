package glb

import (
	"math"

	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/core/kernel/brep"
)

// The parts of the glTF object model that the writer uses.
type (
	document struct {
		Asset       asset        `json:"asset"`
		Scene       int          `json:"scene"`
		Scenes      []scene      `json:"scenes"`
		Nodes       []node       `json:"nodes"`
		Meshes      []gltfMesh   `json:"meshes,omitempty"`
		Materials   []material   `json:"materials,omitempty"`
		Accessors   []accessor   `json:"accessors,omitempty"`
		BufferViews []bufferView `json:"bufferViews,omitempty"`
		Buffers     []buffer     `json:"buffers,omitempty"`
	}
	asset struct {
		Version   string      `json:"version"`
		Generator string      `json:"generator"`
		Extras    assetExtras `json:"extras"`
	}
	assetExtras struct {
		Units  string `json:"units"`  // of the accessors
		UpAxis string `json:"upAxis"` // in the accessors
	}
	scene struct {
		Nodes  []int `json:"nodes"`
		Extras any   `json:"extras,omitempty"`
	}
	node struct {
		Name     string      `json:"name"`
		Mesh     *int        `json:"mesh,omitempty"` // nil: there is nothing to show
		Children []int       `json:"children,omitempty"`
		Rotation *[4]float64 `json:"rotation,omitempty"` // unit quaternion, x y z w
		Scale    *[3]float64 `json:"scale,omitempty"`
		Extras   any         `json:"extras,omitempty"`
	}
	gltfMesh struct {
		Name       string      `json:"name"`
		Primitives []primitive `json:"primitives"`
	}
	primitive struct {
		Attributes attributes       `json:"attributes"`
		Indices    *int             `json:"indices,omitempty"` // nil: the vertices in their order
		Material   int              `json:"material"`
		Mode       int              `json:"mode"`
		Extras     *primitiveExtras `json:"extras,omitempty"`
	}
	attributes struct {
		Position int  `json:"POSITION"`
		Normal   *int `json:"NORMAL,omitempty"`
		Color    *int `json:"COLOR_0,omitempty"`
	}
	primitiveExtras struct {
		Region int `json:"region"`
	}
	material struct {
		Name string `json:"name"`
		PBR  pbr    `json:"pbrMetallicRoughness"`
	}
	pbr struct {
		BaseColor [4]float64 `json:"baseColorFactor"`
		Metallic  float64    `json:"metallicFactor"`
		Roughness float64    `json:"roughnessFactor"`
	}
	accessor struct {
		BufferView    int         `json:"bufferView"`
		ByteOffset    int64       `json:"byteOffset"`
		ComponentType int         `json:"componentType"`
		Normalized    bool        `json:"normalized,omitempty"`
		Count         int         `json:"count"`
		Type          string      `json:"type"`
		Min           *[3]float32 `json:"min,omitempty"`
		Max           *[3]float32 `json:"max,omitempty"`
	}
	bufferView struct {
		Buffer     int   `json:"buffer"`
		ByteOffset int64 `json:"byteOffset"`
		ByteLength int64 `json:"byteLength"`
		ByteStride int   `json:"byteStride,omitempty"`
		Target     int   `json:"target"`
	}
	buffer struct {
		ByteLength int64 `json:"byteLength"`
	}
)

// root takes mm with z up to meters with y up: a quarter turn about -x.
var root = node{
	Name:     "world",
	Rotation: &[4]float64{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2},
	Scale:    &[3]float64{0.001, 0.001, 0.001},
}

const (
	typeUint8                         = 5121
	typeUint16, typeUint32, typeFloat = 5123, 5125, 5126
	targetVertices, targetIndices     = 34962, 34963
	modeLines, modeStrip              = 1, 3
	modeTriangles                     = 4
)

// newDocument is one with the root node and a body of some bytes.
func newDocument(size int64) *document {
	d := &document{
		Asset: asset{
			Version: "2.0", Generator: "millwright",
			Extras: assetExtras{Units: "mm", UpAxis: "z"},
		},
		Scenes: []scene{{Nodes: []int{0}}}, Nodes: []node{root},
	}
	if size > 0 {
		d.Buffers = []buffer{{size}}
	}
	return d
}

func (l *layout) document(opts Options) *document {
	d := newDocument(l.size())
	views := l.addViews(d)
	name := opts.Name
	if name == "" {
		name = "part"
	}
	materials := palette{index: map[material]int{}}
	grouped := grouping(opts.Groups)
	members := make([][]primitive, len(opts.Groups))
	var faces, lines []primitive
	for _, s := range l.spans {
		p := d.addSpan(s, views)
		if s.region < 0 {
			p.Material = materials.of(dull("edge", color.Edge))
			lines = append(lines, p)
			continue
		}
		for _, g := range grouped[s.region] {
			p.Material = materials.of(shiny(opts.Groups[g].Material, opts.Groups[g].Color))
			members[g] = append(members[g], p)
		}
		if len(grouped[s.region]) == 0 {
			p.Material = materials.face(opts.Colors, s.region)
			faces = append(faces, p)
		}
	}
	d.Materials = materials.list
	d.Scenes[0].Extras = opts.Extras
	if len(faces) > 0 || len(opts.Groups) > 0 {
		part := d.addNode(name, faces, nil)
		d.Nodes[0].Children = append(d.Nodes[0].Children, part)
		for g := range opts.Groups {
			child := d.addNode(opts.Groups[g].Name, members[g], opts.Groups[g].Extras)
			d.Nodes[part].Children = append(d.Nodes[part].Children, child)
		}
	}
	if len(lines) > 0 {
		edges := d.addNode("edges", lines, nil)
		d.Nodes[0].Children = append(d.Nodes[0].Children, edges)
	}
	return d
}

// grouping lists the groups of each region that has any.
func grouping(groups []Group) map[int][]int {
	of := map[int][]int{}
	for g := range groups {
		for _, r := range groups[g].Regions {
			of[r] = append(of[r], g)
		}
	}
	return of
}

// addSpan adds the accessors of a span and returns its primitive, without a material.
func (d *document) addSpan(s span, views viewIndex) primitive {
	p := primitive{Mode: modeLines}
	p.Attributes.Position = len(d.Accessors)
	d.Accessors = append(d.Accessors, accessor{
		BufferView: views.positions, ByteOffset: s.vertex * vectorSize,
		ComponentType: typeFloat, Count: s.vertices, Type: "VEC3", Min: &s.min, Max: &s.max,
	})
	if s.region >= 0 {
		p.Mode, p.Extras = modeTriangles, &primitiveExtras{s.region}
		if views.normals > 0 {
			normal := len(d.Accessors)
			p.Attributes.Normal = &normal
			d.Accessors = append(d.Accessors, accessor{
				BufferView: views.normals, ByteOffset: s.vertex * vectorSize,
				ComponentType: typeFloat, Count: s.vertices, Type: "VEC3",
			})
		}
	}
	indices := len(d.Accessors)
	p.Indices = &indices
	d.Accessors = append(d.Accessors, accessor{
		BufferView: views.indices, ByteOffset: s.indexOffset,
		ComponentType: indexType(s.wide), Count: s.indices, Type: "SCALAR",
	})
	return p
}

func indexType(wide bool) int {
	if wide {
		return typeUint32
	}
	return typeUint16
}

// addNode adds a node with a mesh of the primitives; without primitives the node has no mesh.
func (d *document) addNode(name string, primitives []primitive, extras any) int {
	n := node{Name: name, Extras: extras}
	if len(primitives) > 0 {
		mesh := len(d.Meshes)
		n.Mesh = &mesh
		d.Meshes = append(d.Meshes, gltfMesh{Name: name, Primitives: primitives})
	}
	d.Nodes = append(d.Nodes, n)
	return len(d.Nodes) - 1
}

// viewIndex is the index of each view; normals is 0 without normals.
type viewIndex struct{ positions, normals, indices int }

// addViews omits the view of the normals if there are no normals: a view must not be empty.
func (l *layout) addViews(d *document) viewIndex {
	at := int64(0)
	view := func(length int64, stride, target int) int {
		d.BufferViews = append(d.BufferViews, bufferView{0, at, length, stride, target})
		at += length
		return len(d.BufferViews) - 1
	}
	var v viewIndex
	v.positions = view(l.positionBytes(), vectorSize, targetVertices)
	if l.normals > 0 {
		v.normals = view(l.normalBytes(), vectorSize, targetVertices)
	}
	v.indices = view(l.indexBytes, 0, targetIndices)
	return v
}

// palette makes one material per kind and color, in the order of first use.
type palette struct {
	list  []material
	index map[material]int
}

func (p *palette) face(colors []*brep.Color, region int) int {
	return p.of(shiny("face", color.OfRegion(colors, region)))
}

func (p *palette) of(m material) int {
	i, ok := p.index[m]
	if !ok {
		i = len(p.list)
		p.index[m] = i
		p.list = append(p.list, m)
	}
	return i
}

func shiny(name string, c brep.Color) material { return material{name, pbr{factor(c), 0.4, 0.5}} }
func dull(name string, c brep.Color) material  { return material{name, pbr{factor(c), 0, 1}} }

func factor(c brep.Color) [4]float64 {
	l := color.Linear(c)
	return [4]float64{l[0], l[1], l[2], 1}
}
