// Model is the mesh of a part in a scene: one mesh whose regions have color and visibility in a texture, and its edges.
import {
  Box3, BufferAttribute, BufferGeometry, DataTexture, DoubleSide, GLSL3, Group, LineBasicMaterial, LineSegments, Mesh as Solid,
  NearestFilter, type Ray, RGBAFormat, ShaderMaterial, UnsignedByteType, Vector3,
} from "three";
import { MeshBVH } from "three-mesh-bvh";
import type { Mesh } from "./glb";

export type Color = readonly [number, number, number]; // 0 to 255, sRGB

// RegionState is how a region is drawn. Colors are never the only sign: marked faces are striped.
export interface RegionState {
  color: Color;
  striped?: boolean;
  hidden?: boolean;
}

const width = 1024; // texels of a row
const shown = 255, striped = 128;

const vertexShader = `
uniform sampler2D states;
in float region;
flat out vec4 state;
out vec3 face;
out vec3 place;
void main() {
  int r = int(region + 0.5);
  state = texelFetch(states, ivec2(r % ${width}, r / ${width}), 0);
  face = normalMatrix * normal;
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  place = at.xyz;
  gl_Position = state.a < 0.01 ? vec4(0.0, 0.0, -2.0, 1.0) : projectionMatrix * at;
}`;

const fragmentShader = `
uniform float stripe;
flat in vec4 state;
in vec3 face;
in vec3 place;
out vec4 color;
void main() {
  vec3 n = dot(face, face) > 0.25 ? normalize(face) : normalize(cross(dFdx(place), dFdy(place)));
  if (n.z < 0.0) n = -n;
  float key = max(0.0, dot(n, vec3(0.30, 0.48, 0.825)));
  float fill = max(0.0, dot(n, vec3(-0.75, 0.10, 0.654)));
  vec3 c = state.rgb * (0.56 + 0.46 * key + 0.14 * fill) + vec3(0.08) * pow(key, 24.0);
  if (state.a < 0.7 && mod(gl_FragCoord.x + gl_FragCoord.y, 3.0 * stripe) < stripe) c *= 0.62;
  color = vec4(c, 1.0);
}`;

// Hit is a point of a visible region.
export interface Hit {
  region: number;
  point: Vector3;
  facing: number; // 1: the face is seen straight on, 0: edgewise
}

export class Model {
  readonly group = new Group();
  readonly box = new Box3();
  private readonly geometry = new BufferGeometry();
  private readonly states: DataTexture;
  private readonly material: ShaderMaterial;
  private readonly edges: LineSegments<BufferGeometry, LineBasicMaterial>;
  private sides: Int32Array | null = null; // two regions of each edge, -1: none
  private tree: MeshBVH | null = null;
  private triangles: Map<number, number[]> | null = null; // of regions

  constructor(readonly mesh: Mesh, edgeColor: Color) {
    this.geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
    this.geometry.setAttribute("normal", new BufferAttribute(mesh.normals, 3));
    this.geometry.setAttribute("region", new BufferAttribute(mesh.regions, 1));
    this.geometry.setIndex(new BufferAttribute(mesh.index, 1));
    this.geometry.computeBoundingBox();
    this.box.copy(this.geometry.boundingBox!);
    const rows = Math.max(1, Math.ceil(mesh.regionCount / width));
    this.states = new DataTexture(new Uint8Array(4 * width * rows), width, rows, RGBAFormat, UnsignedByteType);
    this.states.minFilter = this.states.magFilter = NearestFilter;
    this.material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      uniforms: { states: { value: this.states }, stripe: { value: 4 * Math.min(2, devicePixelRatio) } },
    });
    const lines = new BufferGeometry();
    lines.setAttribute("position", new BufferAttribute(mesh.edges, 3));
    this.edges = new LineSegments(lines, new LineBasicMaterial());
    this.setEdgeColor(edgeColor);
    const solid = new Solid(this.geometry, this.material);
    solid.frustumCulled = this.edges.frustumCulled = false;
    this.group.add(solid, this.edges);
  }

  setEdgeColor(c: Color): void {
    this.edges.material.color.set(`rgb(${c.join(",")})`);
  }

  // setStates draws each region as a function says. Edges between hidden regions are hidden.
  setStates(of: (region: number) => RegionState): void {
    const data = this.states.image.data as Uint8Array;
    const hidden = new Uint8Array(this.mesh.regionCount);
    let any = false;
    for (let r = 0; r < this.mesh.regionCount; r++) {
      const s = of(r);
      data.set([...s.color, s.hidden ? 0 : s.striped ? striped : shown], 4 * r);
      if (s.hidden) any = !!(hidden[r] = 1);
    }
    this.states.needsUpdate = true;
    this.showEdges(any ? hidden : null);
  }

  // prepare builds what picking needs, which takes up to a second for a million triangles.
  prepare(): void {
    this.tree ??= new MeshBVH(this.geometry, { indirect: true });
  }

  pick(ray: Ray): Hit | null {
    this.prepare();
    const data = this.states.image.data as Uint8Array;
    let best: Hit | null = null, nearest = Infinity;
    for (const hit of this.tree!.raycast(ray, DoubleSide)) {
      const region = this.mesh.regions[this.mesh.index[3 * hit.faceIndex!]!]!;
      if (hit.distance < nearest && data[4 * region + 3]! > 0) {
        nearest = hit.distance;
        best = { region, point: hit.point, facing: Math.abs(hit.face!.normal.dot(ray.direction)) };
      }
    }
    return best;
  }

  // boxOf encloses regions. It is empty for regions without triangles.
  boxOf(regions: readonly number[]): Box3 {
    const box = new Box3(), p = new Vector3();
    for (const v of this.cornersOf(regions)) box.expandByPoint(p.fromArray(this.mesh.positions, 3 * v));
    return box;
  }

  // samples are at most n points within triangles of regions.
  samples(regions: readonly number[], n: number): Vector3[] {
    const corners = this.cornersOf(regions), step = 3 * Math.max(1, Math.floor(corners.length / 3 / n));
    const out: Vector3[] = [], p = new Vector3();
    for (let i = 0; i + 2 < corners.length; i += step) {
      const middle = new Vector3();
      for (let k = 0; k < 3; k++) middle.addScaledVector(p.fromArray(this.mesh.positions, 3 * corners[i + k]!), 1 / 3);
      out.push(middle);
    }
    return out;
  }

  dispose(): void {
    this.geometry.dispose();
    this.edges.geometry.dispose();
    this.edges.material.dispose();
    this.material.dispose();
    this.states.dispose();
  }

  private cornersOf(regions: readonly number[]): number[] {
    if (!this.triangles) {
      this.triangles = new Map();
      for (let i = 0; i < this.mesh.index.length; i++) {
        const r = this.mesh.regions[this.mesh.index[i]!]!;
        let own = this.triangles.get(r);
        if (!own) this.triangles.set(r, (own = []));
        own.push(this.mesh.index[i]!);
      }
    }
    return regions.flatMap((r) => this.triangles!.get(r) ?? []);
  }

  private showEdges(hidden: Uint8Array | null): void {
    const { edges } = this.mesh;
    if (!hidden) {
      this.edges.geometry.setIndex(null);
      return;
    }
    this.sides ??= edgeSides(this.mesh);
    const kept: number[] = [];
    for (let e = 0; e < edges.length / 6; e++) {
      const a = this.sides[2 * e]!, b = this.sides[2 * e + 1]!;
      if ((a >= 0 && !hidden[a]) || (b >= 0 && !hidden[b])) kept.push(2 * e, 2 * e + 1);
    }
    this.edges.geometry.setIndex(new BufferAttribute(new Uint32Array(kept), 1));
  }
}

// edgeSides finds the two regions that have vertices at both ends of each edge.
function edgeSides({ positions, regions, edges }: Mesh): Int32Array {
  const at = new Map<string, Set<number>>();
  const key = (a: Float32Array, i: number) => `${a[i]},${a[i + 1]},${a[i + 2]}`;
  for (let e = 0; e < edges.length; e += 3) at.set(key(edges, e), new Set());
  for (let v = 0; v < regions.length; v++) at.get(key(positions, 3 * v))?.add(regions[v]!);
  const out = new Int32Array(edges.length / 3).fill(-1);
  for (let e = 0; e < edges.length / 6; e++) {
    const ends = at.get(key(edges, 6 * e + 3))!;
    const both = [...at.get(key(edges, 6 * e))!].filter((r) => ends.has(r));
    out[2 * e] = both[0] ?? -1;
    out[2 * e + 1] = both[1] ?? -1;
  }
  return out;
}
