// A job is divided into dispatches of one row of work groups each, so gl_WorkGroupID and
// gl_GlobalInvocationID count only within a slice. These count over the whole job.

uniform uint mwFirst;   // number of the slice's first work group
uniform uvec3 mwGroups; // box of work groups of the whole job, x running fastest
uniform uint mwItems;   // invocations with work; may be fewer than the invocations of the job

uint groupIndex() { return mwFirst + gl_WorkGroupID.x; }

uvec3 groupID() {
	uint g = groupIndex();
	uint row = g / mwGroups.x;
	return uvec3(g - row * mwGroups.x, row % mwGroups.y, row / mwGroups.y);
}

// Macros, because the size of a work group is known only after its layout was declared.
#define itemIndex() (groupIndex() * (gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z) + \
	gl_LocalInvocationIndex)
#define itemCount() (mwItems)
