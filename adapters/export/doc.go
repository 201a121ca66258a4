// Package export is the parent of the writers that hand a part and its program to other programs, one folder
// per format:
//
//   - stl: binary STL, triangles in mesh order, mm;
//   - glb: glTF 2.0 binary, one primitive per region, meters;
//   - threemf: 3MF with named materials, mm;
//   - thumbnail: a shaded PNG with feature edges, rendered on the CPU;
//   - featured: colors and names of features for the others;
//   - moves: the motion of a program, as JSON and as lines in a GLB;
//   - milled: what milling leaves, as GLB;
//   - setupsheet: what a person needs at the machine, as HTML with pictures, and words for programs;
//   - gcode: the setups of a program, and its tools, in the words of a control;
//   - program: what other software needs to replay a program, as JSON.
//
// All of them keep part coordinates (no axis is turned), write the same bytes for the same mesh, and
// keep the identity of regions: triangle i of an STL file is triangle i of the mesh, and a primitive
// of a GLB file names its region.
package export
