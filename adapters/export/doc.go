// Package export is the parent of the writers of parts and programs for other software, one folder per format:
//
//   - stl: binary STL, triangles in mesh order, mm;
//   - glb: glTF 2.0 binary, one primitive per region, meters;
//   - threemf: 3MF with named materials, mm;
//   - thumbnail: a shaded PNG with feature edges, rendered on the CPU;
//   - featurecolor: colors and names of features for the others;
//   - paths: the motion of a program, as JSON and as lines in a GLB;
//   - stockview: the stock after each setup and the excess material, as GLB;
//   - setupsheet: instructions for the machine operator, as HTML with pictures, and texts for programs;
//   - gcode: the setups of a program, and its tools, in the dialect of a control;
//   - programjson: the data that other software needs to replay a program, as JSON.
//
// All of them keep part coordinates (without rotation), write the same bytes for the same mesh, and keep the identity
// of regions: triangle i of an STL file is triangle i of the mesh, and a primitive of a GLB file names its region.
package export
