package fault

import "slices"

// WarningCode is one kind of warning.
type WarningCode struct {
	Code    string // lowercase_with_underscores
	Meaning string // a fact about the input, or a repair of it: a clause
}

// WarningCodes returns all kinds of warnings. The meaning of a code never changes, and a code is never used again.
func WarningCodes() []WarningCode { return slices.Clone(warningCodes) }

var warningCodes = []WarningCode{
	// of files
	{"format_mismatch", "the content has another format than the file's name says"},
	{"converted", "another program converted the file to a format that is read"},
	{"other_configurations", "the part has more configurations than the one that was read"},
	{"tool_bodies", "the bodies may include tool bodies of features"},
	{"cut_off", "the file ends too early"},
	{"garbage", "text of the file means nothing"},
	{"external_reference", "the content of another file was left out"},
	{"broken_instances", "instances break the grammar of STEP files"},
	{"dangling_reference", "instances refer to others that are not in the file"},
	{"duplicate_instances", "instance numbers occur more than once; the last one counts"},
	{"broken_entities", "directory entries of an IGES file could not be decoded"},
	{"no_length_unit", "no unit of length is given; millimeters were assumed"},
	{"mixed_units", "components are given in different units of length"},
	{"unit_elsewhere", "a unit cannot be read where it is used; the value elsewhere in the file was used"},
	{"unit_assumed", "the unit of length is not known; millimeters were assumed"},
	{"unit_default", "an IGES file gives no unit of length; inches, the default of IGES, were assumed"},
	{"unit_conflict", "unit flag and unit name of an IGES file do not agree; the flag was used, or the name where the " +
		"flag gives no unit"},
	{"model_scale", "an IGES file gives its coordinates at a scale; they were divided by it if it is usable"},
	{"lost_face", "faces that could not be read were left out"},
	{"lost_shape", "solids, surfaces or components that could not be read were left out"},
	{"lost_colours", "too many colors apply to single components of an assembly only; some of them were left out"},
	{"no_product_structure", "no product refers to a shape; all shapes of the file were read"},
	{"assembly_cycle", "a component contains itself; the inner copy was left out"},
	{"repeated_shape", "a shape that occurs twice at one position was read once"},
	{"unread_solid", "a solid by construction (CSG) was left out"},
	{"constructive_solids", "solids by construction (CSG) were left out"},
	{"hidden_geometry", "hidden bodies and surfaces were left out"},
	{"all_hidden", "everything in the file is hidden; it was read anyway"},
	{"annotation", "dimensions, notes, symbols, views and drawings were left out"},
	{"wires", "wires and points that bound no face were left out"},
	{"private_entities", "entities of the sending system's own kinds were left out"},
	{"scaled_matrix", "a transformation scales, which the format does not allow"},
	{"tessellated_shape", "a shape is given by triangles only"},
	{"pmi_too_large", "dimensions and tolerances above the limit were left out"},
	{"pmi_unreadable", "dimensions or tolerances that cannot be read were left out"},
	{"pmi_only_drawn", "notes or dimensions that exist only as drawings were skipped"},

	// of faces and edges as they are read
	{"empty_face", "a face without a boundary was left out"},
	{"shared_faces", "a face bounds several solids or sheets; each got its own copy"},
	{"flat_facet", "the corners of a facet lie on one line"},
	{"turned_poly_loops", "loops of facets had the wrong direction"},
	{"turned_triangles", "triangles had the wrong direction and were flipped"},
	{"degenerate_triangles", "triangles without area, or given twice, were left out"},
	{"made_vertex", "an unreadable vertex was restored from its edges"},
	{"made_edge", "an edge with an unusable curve was restored"},
	{"made_bound", "an unreadable boundary was restored from its neighbors"},
	{"made_surface", "an unreadable surface was restored from the edges around it"},
	{"made_shell", "faces or shells without a readable reference were used"},
	{"made_solid", "a shape without a readable reference was used as a solid"},
	{"made_place", "the position of a component is unreadable; other data of the file determined it"},
	{"zero_length_edge", "an edge has no length; its vertices were merged"},
	{"vertex_off_curve", "vertices lie off the curve of their edge"},
	{"torus_part", "edges lie on the other part of a torus through its axis than its record says"},
	{"missing_boundary", "a face counts more inner boundaries than it names"},
	{"closed_boundary", "a gap in a boundary was closed with a line"},
	{"curve_off_surface", "a boundary does not lie on its surface; its parameter curve was used"},
	{"missing_weights", "a spline has no weights; equal weights were assumed"},
	{"needless_knots", "knots without effect were left out"},

	// of repair
	{"edge_end", "an edge was fitted to its vertices"},
	{"edge_way", "an edge took the complementary arc of its curve"},
	{"edge_sense", "edges of a loop were reversed"},
	{"loop_gap", "a gap in a loop was closed"},
	{"loop_order", "the edges of a loop were put in order"},
	{"short_edge", "an edge shorter than the tolerance became a vertex"},
	{"sliver_face", "a face narrower than the tolerance was removed"},
	{"copied_face", "a face that coincides with another one was removed"},
	{"turned_face", "the sense of a face was negated"},
	{"either_side", "a face could lie on the other side of its boundary too"},
	{"touching_edge", "an edge in which a solid touches itself was split"},
	{"tolerant_edge", "an edge lies off its face by more than the tolerance"},
	{"vertex_off", "a vertex that bounds a face by itself lies off it"},
	{"sewn_edges", "edges of neighboring faces were joined"},
	{"split_edges", "an edge was cut at the end of a neighbor's edge"},
	{"duplicate_faces", "faces of a surface model that coincide with another one were removed"},
	{"turned_loops", "loops of faces were reversed"},
	{"turned_faces", "faces of a surface model were flipped to agree with their neighbors"},
	{"closed_sheet", "closed surfaces became solids"},
	{"open_sheet", "surfaces do not close"},
	{"open_solid", "a solid that does not close became a surface"},
	{"closed_slits", "slits between faces were closed"},
	{"capped_hole", "plane faces were added where a solid lacks faces"},
	{"one_sided", "a surface has only one side"},
	{"no_void", "voids outside their solid became solids"},
	{"sheet_beside", "surfaces beside the solids stay surfaces"},
	{"recovered_surface", "splines were replaced by the plane, cylinder, cone, sphere or torus that they are"},
	{"recovered_curve", "splines were replaced by the line, circle or ellipse that they are"},

	// defects that remain in a repaired part
	{"bad_reference", "geometry is missing"},
	{"open_loop", "edges of a loop do not meet"},
	{"loose_vertex", "an edge ends away from its vertex"},
	{"open_edge", "an edge of a solid bounds one face only"},
	{"shared_edge", "an edge of a solid bounds more than two faces"},
	{"opposed_faces", "two faces contradict each other along an edge"},
	{"bad_topology", "no solid has these numbers of faces, edges and vertices"},

	{"same_solids", "two solids are the same at one place; the volume counts twice"},
	{"overlapping_solids", "solids overlap; the volume that they share counts twice"},

	// of meshing, recognizing and measuring
	{"face_boundary_unusable", "a face was meshed by its boundary points alone"},
	{"face_without_triangles", "a face has no area at the tolerance"},
	{"mesh_coarsened", "the mesh is coarser than asked for, for fewer triangles"},
	{"face_too_coarse", "the mesh of a face misses the tolerance"},
	{"shell_inside_out", "a shell enclosed a negative volume and was turned"},
	{"mesh_not_closed", "the mesh is not closed"},
	{"not_measured", "a feature could not be measured"},
	{"unknown_surface", "faces are triangles of an unknown surface; features among them may be missed"},

	// of plans
	{"device_not_drawn", "a device that is made for the part has no files of its pieces"},
	{"fixture_named", "a setup is held in a fixture that has to be made; its clamps are not part of the proof"},
	{"fixed_setup_left_out", "a setup that the request fixes is left out, as nothing can be made in it"},
	{"held_otherwise", "a setup is not held by the device that the request asks for"},
	{"fallback_tool", "a tool of the plan is made up, as the library cannot cut something"},
	{"done_in_part", "some faces of a surface are finished already; all of it is milled"},
	{"stock_as_box", "the stock is planned as the box around it"},
	{"duplicate_tool_number", "tools of the program have one number in their libraries; one got another number"},
	{"no_cutting_data", "tools have no cutting data for the material, and no rule gives any; they are not used"},
	{"no_holder", "tools of the program have no holder; collisions of holders are not looked for"},
	{"tool_material_assumed", "cutting data are computed for tools whose material is not known, as for the usual one"},
	{"tool_not_confirmed", "tools were passed over because something about them is guessed"},

	{Unspecified, "noticed before warnings had codes"},
}
