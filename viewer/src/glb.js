// SPDX-License-Identifier: BSD-3-Clause
// Reads the glTF files that our server writes: one mesh, float positions, triangles or points.
import { ConvexGeometry } from '../vendor/three/examples/jsm/geometries/ConvexGeometry.js';
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, LinearFilter, LinearMipmapLinearFilter, MeshStandardMaterial,
  RepeatWrapping, SRGBColorSpace, Texture, Vector3,
} from './three.js';

const JSON_CHUNK = 0x4e4f534a;
const CREASE = Math.cos(35 * Math.PI / 180);

function split(bytes) {
  const view = new DataView(bytes);
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK)
    throw new Error('not a glTF file');
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length)));
  return { json, start: 20 + length + 8 };
}

function readAccessor(file, bytes, index) {
  const accessor = file.json.accessors[index];
  const at = file.start + file.json.bufferViews[accessor.bufferView].byteOffset;
  const size = { SCALAR: 1, VEC2: 2, VEC3: 3 }[accessor.type];
  const Type = accessor.componentType === 5126 ? Float32Array : Uint32Array;
  return { values: new Type(bytes, at, accessor.count * size), size };
}

async function readTexture(file, bytes, index) {
  const image = file.json.images[file.json.textures[index].source];
  const view = file.json.bufferViews[image.bufferView];
  const blob = new Blob([new Uint8Array(bytes, file.start + view.byteOffset, view.byteLength)], { type: image.mimeType });
  const texture = new Texture(await createImageBitmap(blob));
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}

async function readMaterial(file, bytes, index) {
  const from = file.json.materials?.[index];
  const material = new MeshStandardMaterial({ color: 0xb9bec4, roughness: 0.85, metalness: 0, side: DoubleSide });
  if (from === undefined)
    return material;
  const look = from.pbrMetallicRoughness;
  material.color = new Color(...look.baseColorFactor.slice(0, 3));
  material.opacity = look.baseColorFactor[3];
  material.transparent = material.opacity < 1;
  material.roughness = look.roughnessFactor;
  material.emissive = new Color(...from.emissiveFactor);
  if (look.baseColorTexture !== undefined)
    material.map = await readTexture(file, bytes, look.baseColorTexture.index);
  return material;
}

// Normals that are smooth except at edges: the mean of the faces at a point that are turned little
// against each other.
function addNormals(geometry) {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  const at = flat.getAttribute('position');
  const n = at.count;
  const faces = new Float32Array(n);
  const normals = new Float32Array(3 * n);
  const a = new Vector3(), b = new Vector3(), c = new Vector3();
  const around = new Map();
  const keys = new Array(n);
  const face = new Float32Array(n); // x y z for each triangle, n / 3 of them
  for (let i = 0; i < n; i += 3) {
    a.fromBufferAttribute(at, i);
    b.fromBufferAttribute(at, i + 1).sub(a);
    c.fromBufferAttribute(at, i + 2).sub(a);
    b.cross(c);
    faces[i / 3] = b.length();
    b.normalize();
    face.set([b.x, b.y, b.z], i);
    for (let k = i; k < i + 3; k++) {
      const key = `${at.getX(k).toFixed(5)},${at.getY(k).toFixed(5)},${at.getZ(k).toFixed(5)}`;
      keys[k] = key;
      const list = around.get(key);
      if (list === undefined)
        around.set(key, [i]);
      else
        list.push(i);
    }
  }
  for (let k = 0; k < n; k++) {
    const own = k - k % 3;
    let x = 0, y = 0, z = 0;
    for (const i of around.get(keys[k])) {
      const dot = face[i] * face[own] + face[i + 1] * face[own + 1] + face[i + 2] * face[own + 2];
      if (dot < CREASE)
        continue;
      const area = faces[i / 3];
      x += area * face[i];
      y += area * face[i + 1];
      z += area * face[i + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * k);
  }
  flat.setAttribute('normal', new BufferAttribute(normals, 3));
  return flat;
}

function makeHull(positions) {
  const points = [];
  for (let i = 0; i < positions.length; i += 3)
    points.push(new Vector3(positions[i], positions[i + 1], positions[i + 2]));
  try {
    return new ConvexGeometry(points);
  } catch {
    return new BufferGeometry();
  }
}

// Texture coordinates for what has none: a picture is laid on it from six sides, once on each, as the
// renderer of cameras does it (plugins/renderers/mujoco/mesh.c). @box: what holds the whole shape
export function layTexture(geometry, box) {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  const at = flat.getAttribute('position');
  const places = new Float32Array(2 * at.count);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const share = (value, axis) => (box.max[axis] > box.min[axis] ? (value - box.min[axis]) / (box.max[axis] - box.min[axis]) : 0);
  for (let i = 0; i + 2 < at.count; i += 3) {
    a.fromBufferAttribute(at, i);
    b.fromBufferAttribute(at, i + 1).sub(a);
    c.fromBufferAttribute(at, i + 2).sub(a);
    const normal = b.cross(c);
    const [x, y, z] = [Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z)];
    for (let k = i; k < i + 3; k++) {
      const [px, py, pz] = [share(at.getX(k), 'x'), share(at.getY(k), 'y'), share(at.getZ(k), 'z')];
      let across, up = pz;
      if (x >= y && x >= z) {
        across = normal.x > 0 ? py : 1 - py;
      } else if (y >= z) {
        across = normal.y > 0 ? 1 - px : px;
      } else {
        across = normal.z > 0 ? px : 1 - px;
        up = py;
      }
      places.set([across, 1 - up], 2 * k);
    }
  }
  flat.setAttribute('uv', new BufferAttribute(places, 2));
  return flat;
}

// Pairs of geometry and material.
export async function readGlb(bytes) {
  const file = split(bytes);
  const pieces = [];
  for (const primitive of file.json.meshes[0].primitives) {
    const material = await readMaterial(file, bytes, primitive.material);
    const positions = readAccessor(file, bytes, primitive.attributes.POSITION);
    if (primitive.mode === 0) {
      pieces.push([makeHull(positions.values), material]);
      continue;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions.values, 3));
    if (primitive.attributes.TEXCOORD_0 !== undefined)
      geometry.setAttribute('uv', new BufferAttribute(readAccessor(file, bytes, primitive.attributes.TEXCOORD_0).values, 2));
    geometry.setIndex(new BufferAttribute(readAccessor(file, bytes, primitive.indices).values, 1));
    pieces.push([addNormals(geometry), material]);
  }
  return pieces;
}
