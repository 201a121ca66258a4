// Reader of the display meshes that the service writes: GLB with one primitive a region, and one for the edges. The root
// node turns and scales to the frame and the meters of glTF; the accessors are in the frame and the mm of the part, and
// are taken as they are. Other files of glTF are not read.

// Mesh is all triangles of a part in one index. A vertex belongs to one region.
export interface Mesh {
  positions: Float32Array; // x, y, z of vertices, mm
  normals: Float32Array; // unit vectors; zero in a mesh without normals
  regions: Float32Array; // region of each vertex; exact up to 2^24
  index: Uint32Array; // three vertices a triangle
  edges: Float32Array; // two points a line
  regionCount: number; // one more than the highest region
}

interface Accessor {
  bufferView: number;
  byteOffset?: number;
  componentType: number;
  count: number;
}

interface Primitive {
  attributes: { POSITION: number; NORMAL?: number };
  indices?: number;
  mode?: number;
  extras?: { region?: number };
}

interface Document {
  accessors: Accessor[];
  bufferViews: { byteOffset?: number; byteLength: number }[];
  meshes: { primitives: Primitive[] }[];
}

const magic = 0x46546c67, jsonChunk = 0x4e4f534a, binChunk = 0x004e4942;
const lines = 1, triangles = 4;
const indexTypes: Record<number, Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor> = {
  5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array,
};

// readGLB throws an Error with a sentence for a file that is not such a mesh.
export function readGLB(data: ArrayBuffer): Mesh {
  const head = new DataView(data);
  if (data.byteLength < 20 || head.getUint32(0, true) !== magic || head.getUint32(8, true) !== data.byteLength) {
    throw new Error("The mesh is not a whole GLB file.");
  }
  const textLength = head.getUint32(12, true), binAt = 20 + textLength;
  if (head.getUint32(16, true) !== jsonChunk || head.getUint32(binAt + 4, true) !== binChunk) {
    throw new Error("The mesh has not the two parts of a GLB file.");
  }
  const doc = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 20, textLength))) as Document;
  const floats = (i: number) => {
    const a = doc.accessors[i]!, at = doc.bufferViews[a.bufferView]!;
    return new Float32Array(data, binAt + 8 + (at.byteOffset ?? 0) + (a.byteOffset ?? 0), 3 * a.count);
  };
  const indices = (i: number) => {
    const a = doc.accessors[i]!, at = doc.bufferViews[a.bufferView]!, kind = indexTypes[a.componentType];
    if (!kind) throw new Error("The mesh has indices of an unknown type.");
    return new kind(data, binAt + 8 + (at.byteOffset ?? 0) + (a.byteOffset ?? 0), a.count);
  };
  const all = doc.meshes.flatMap((m) => m.primitives);
  const faces = all.filter((p) => (p.mode ?? triangles) === triangles && p.indices !== undefined);
  const counts = faces.map((p) => [doc.accessors[p.attributes.POSITION]!.count, doc.accessors[p.indices!]!.count]);
  const vertices = counts.reduce((n, c) => n + c[0]!, 0), corners = counts.reduce((n, c) => n + c[1]!, 0);
  const mesh: Mesh = {
    positions: new Float32Array(3 * vertices), normals: new Float32Array(3 * vertices),
    regions: new Float32Array(vertices), index: new Uint32Array(corners), edges: new Float32Array(0), regionCount: 0,
  };
  let vertex = 0, corner = 0;
  for (const [i, p] of faces.entries()) {
    const region = p.extras?.region ?? i, own = indices(p.indices!), points = floats(p.attributes.POSITION);
    mesh.positions.set(points, 3 * vertex);
    if (p.attributes.NORMAL !== undefined) mesh.normals.set(floats(p.attributes.NORMAL), 3 * vertex);
    mesh.regions.fill(region, vertex, vertex + points.length / 3);
    for (let k = 0; k < own.length; k++) mesh.index[corner++] = own[k]! + vertex;
    vertex += points.length / 3;
    mesh.regionCount = Math.max(mesh.regionCount, region + 1);
  }
  for (const p of all.filter((p) => p.mode === lines && p.indices !== undefined)) {
    const points = floats(p.attributes.POSITION), own = indices(p.indices!);
    const out = new Float32Array(mesh.edges.length + 3 * own.length);
    out.set(mesh.edges);
    for (let k = 0, at = mesh.edges.length; k < own.length; k++) {
      for (let c = 0; c < 3; c++) out[at++] = points[3 * own[k]! + c]!;
    }
    mesh.edges = out;
  }
  return mesh;
}
