// SPDX-License-Identifier: BSD-3-Clause
// The scene as three.js draws it: objects, ground, sky, lights, cameras.
import { OrbitControls } from '../vendor/three/examples/jsm/controls/OrbitControls.js';
import { layTexture, readGlb } from './glb.js';
import {
  ACESFilmicToneMapping, BackSide, Box3, Box3Helper, BoxGeometry, CapsuleGeometry, Color, ConeGeometry, CylinderGeometry,
  DirectionalLight, DoubleSide, Group, HemisphereLight, Matrix4, Mesh, MeshDepthMaterial, MeshStandardMaterial, PCFShadowMap,
  PerspectiveCamera, PlaneGeometry, PointLight, Quaternion, Raycaster, SRGBColorSpace, Scene, ShaderMaterial,
  SphereGeometry, SpotLight, Vector2, Vector3, WebGLRenderTarget, WebGLRenderer,
} from './three.js';

const UP = new Vector3(0, 0, 1);
// A camera of the scene looks along x of its frame, y is left and z is up; one of three.js looks
// along -z, x is right and y is up.
const FROM_CAMERA = new Quaternion(0.5, -0.5, -0.5, 0.5);
const PLAIN = { color: [0.7, 0.72, 0.75, 1], roughness: 0.85, emission: 0 };
const GHOST = 0x7f8fa3;
const DIFFERENT = 0xe2761b;
const GAP = 2; // pixels between two runs
const SHADOW_REACH = 28; // m about what is looked at
const SKIES = {
  light: { top: 0x9fc0e4, low: 0xeaf0f6, ground: 0xdfe3e6, minor: 0xc3c9cf, major: 0x9fa8b1, sun: 2.2, fill: 1.5 },
  dark: { top: 0x10161f, low: 0x27313d, ground: 0x1d242c, minor: 0x303a45, major: 0x475462, sun: 1.7, fill: 1.0 },
};

function makeGeometry(shape) {
  const [x, y, z] = shape.size;
  const upright = (geometry) => geometry.rotateX(Math.PI / 2);
  switch (shape.kind) {
    case 'box': return new BoxGeometry(2 * x, 2 * y, 2 * z);
    case 'sphere': return new SphereGeometry(x, 32, 20);
    case 'cylinder': return upright(new CylinderGeometry(x, x, 2 * z, 32));
    case 'capsule': return upright(new CapsuleGeometry(x, 2 * z, 10, 24));
    default: return upright(new ConeGeometry(x, 2 * z, 32));
  }
}

function makeMaterial(look = PLAIN) {
  const color = new Color().setRGB(...look.color.slice(0, 3), SRGBColorSpace);
  const opacity = look.color[3];
  return new MeshStandardMaterial({
    color, opacity, transparent: opacity < 1, roughness: look.roughness, metalness: 0,
    emissive: color.clone().multiplyScalar(look.emission),
  });
}

// @color, @energy: none: those of the scene
function setLight(light, color, energy) {
  const { lamp } = light.userData;
  light.color.setRGB(...color ?? lamp.color, SRGBColorSpace);
  light.intensity = (lamp.kind === 'spot' ? 3 : 1) * (energy ?? lamp.values[0]) * lamp.values[1];
}

// Materials are shared by all objects that have them, so a painted object has a copy. What glows does
// so in its color. @color: none: that of the material; @given: none: the material of the scene
function setMaterial(mesh, color, given) {
  const kept = mesh.userData;
  const shown = kept.looks?.plain ?? mesh.material;
  const own = kept.own ?? shown;
  const base = given ?? own;
  let material = base;
  if (color !== undefined) {
    const most = (one) => Math.max(one.r, one.g, one.b);
    const glow = most(base.color) > 0 ? most(base.emissive) / most(base.color) : 0;
    material = kept.copied === base ? shown : base.clone();
    material.color.setRGB(...color, SRGBColorSpace);
    material.emissive.copy(material.color).multiplyScalar(glow);
  }
  if (kept.copied !== undefined && shown !== material)
    shown.dispose();
  kept.copied = color !== undefined ? base : undefined;
  kept.own = own;
  if (kept.looks === undefined) {
    mesh.material = material;
    return;
  }
  // A ghost: whole, it has its colors.
  if (mesh.material === kept.looks.plain)
    mesh.material = material;
  kept.looks.plain = material;
  kept.looks.marked.color.copy(material.color);
  kept.looks.marked.map = material.map;
  kept.looks.marked.needsUpdate = true;
}

// A shape of an object that is scaled along the axes of that object. @scale: none: as in the scene
function stretch(mesh, scale) {
  mesh.matrixAutoUpdate = scale === undefined;
  mesh.updateMatrix();
  if (scale !== undefined)
    mesh.matrix.premultiply(new Matrix4().makeScale(...scale));
  mesh.matrixWorldNeedsUpdate = true;
}

function place(node, pose) {
  node.position.set(pose[0], pose[1], pose[2]);
  node.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}

// A plane whose lines are drawn by the graphics card: fine at any distance, and faded far away.
// @filled: else it is lines only, to be drawn upon a floor of the scene
function makeGround(filled) {
  const material = new ShaderMaterial({
    transparent: true, depthWrite: false, side: DoubleSide, polygonOffset: !filled, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    uniforms: { filled: { value: filled ? 1 : 0 }, ground: { value: new Color() }, minor: { value: new Color() }, major: { value: new Color() },
                low: { value: new Color() }, reach: { value: 60 }, center: { value: new Vector2() } },
    vertexShader: `varying vec3 at;
      void main() { vec4 w = modelMatrix * vec4(position, 1.0); at = w.xyz; gl_Position = projectionMatrix * viewMatrix * w; }`,
    fragmentShader: `varying vec3 at; uniform vec3 ground, minor, major, low; uniform float reach, filled; uniform vec2 center;
      float line(float size, float wide) {
        vec2 p = at.xy / size; vec2 d = max(fwidth(p), vec2(1e-6));
        vec2 g = abs(fract(p - 0.5) - 0.5) / (d * wide);
        return (1.0 - min(min(g.x, g.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(d.x, d.y)));
      }
      void main() {
        float far = smoothstep(0.25, 1.0, length(at.xy - center) / reach);
        float thin = line(1.0, 1.0), thick = line(10.0, 1.4);
        vec3 c = mix(mix(ground, minor, thin), major, thick);
        if (filled > 0.5)
          gl_FragColor = vec4(mix(c, low, far), 1.0 - 0.999 * smoothstep(0.75, 1.0, far));
        else
          gl_FragColor = vec4(mix(minor, major, thick), 0.6 * max(thin, thick));
        #include <colorspace_fragment>
      }`,
  });
  const ground = new Mesh(new PlaneGeometry(1, 1), material);
  ground.renderOrder = filled ? -1 : 1;
  return ground;
}

function makeSky() {
  const material = new ShaderMaterial({
    side: BackSide, depthWrite: false, depthTest: false,
    uniforms: { top: { value: new Color() }, low: { value: new Color() } },
    vertexShader: `varying vec3 way;
      void main() { way = position; gl_Position = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
        gl_Position.z = 0.0; }`, // neither too near nor too far
    fragmentShader: `varying vec3 way; uniform vec3 top, low;
      void main() { gl_FragColor = vec4(mix(low, top, smoothstep(0.0, 0.6, normalize(way).z)), 1.0);
        #include <colorspace_fragment>
      }`,
  });
  const sky = new Mesh(new SphereGeometry(5, 32, 16), material);
  sky.frustumCulled = false;
  sky.renderOrder = -2;
  return sky;
}

export class World {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(50, 1, 0.02, 4000);
    this.camera.up.copy(UP);
    this.camera.position.set(6, -8, 5);
    this.lens = new PerspectiveCamera(); // looks through a camera of the scene
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = Math.PI;
    this.controls.addEventListener('change', () => this.touch());
    this.sky = makeSky();
    this.ground = makeGround(true);
    this.grid = makeGround(false);
    this.grid.visible = false;
    this.fill = new HemisphereLight(0xffffff, 0x8a8f96, 1);
    this.fill.position.copy(UP);
    this.sun = new DirectionalLight(0xfff6e8, 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.renderer.shadowMap.autoUpdate = false;
    this.layer = new Group(); // what is drawn for components
    this.objects = new Group();
    this.ghosts = new Group(); // of the run that is shown together with this one
    this.split = false;        // both are seen from one place, side by side
    this.pairs = new Map();    // the object of this run that is the same as a ghost
    this.scene.add(this.sky, this.ground, this.grid, this.fill, this.sun, this.sun.target, this.objects, this.ghosts, this.layer);
    this.nodes = [];
    this.size = 10;
    this.center = new Vector3();
    this.followed = -1;
    this.dirty = true;
    this.looks = []; // what is not as in the scene
    this.materials = []; // that objects may be given
    this.files = new Map();
    this.marker = new Box3Helper(new Box3(), 0xff8a1e);
    this.marker.visible = false;
    this.marker.material.depthTest = false;
    this.marker.material.transparent = true;
    this.scene.add(this.marker);
    this.marked = -1;
    this.setTheme('light');
    this.prepare();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  // The programs of the graphics card are made while the scene is on its way: those of shapes, of
  // meshes, which have two sides, and of shadows. Their errors are asked for later, since the
  // question waits for them.
  prepare() {
    const { renderer } = this;
    const shapes = [makeMaterial(), makeMaterial(), new MeshDepthMaterial({ side: BackSide })]
      .map((material) => new Mesh(new BoxGeometry(), material));
    const target = new WebGLRenderTarget(1, 1);
    shapes[1].material.side = DoubleSide;
    renderer.debug.checkShaderErrors = false;
    for (const one of [shapes[0], shapes[1], this.sky, this.ground])
      renderer.compile(one, this.camera, this.scene);
    renderer.setRenderTarget(target);
    renderer.compile(shapes[2], this.camera, this.scene);
    renderer.setRenderTarget(null);
    target.dispose();
    this.prepared = shapes.map((one) => one.material); // which keep their programs
  }

  checkPrograms() {
    const gl = this.renderer.getContext();
    for (const { name, program } of this.renderer.info.programs)
      if (!gl.getProgramParameter(program, gl.LINK_STATUS))
        console.error(`${name}: ${gl.getProgramInfoLog(program)}`);
    this.renderer.debug.checkShaderErrors = true;
  }

  touch() {
    this.dirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0)
      return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const [half] = this.halves();
    this.camera.aspect = half.width / half.height;
    this.camera.updateProjectionMatrix();
    this.fitLens();
    this.touch();
  }

  get isWide() {
    return this.canvas.parentElement.clientWidth > this.canvas.parentElement.clientHeight;
  }

  // Where this run and the other one are drawn, from the upper left corner of the canvas.
  halves() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!this.split)
      return [{ left: 0, top: 0, width, height }];
    const w = this.isWide ? (width - GAP) / 2 : width;
    const h = this.isWide ? height : (height - GAP) / 2;
    return [{ left: 0, top: 0, width: w, height: h }, { left: width - w, top: height - h, width: w, height: h }];
  }

  setTheme(name) {
    const sky = SKIES[name];
    this.sky.material.uniforms.top.value.set(sky.top);
    this.sky.material.uniforms.low.value.set(sky.low);
    for (const key of ['ground', 'minor', 'major', 'low'])
      for (const plane of [this.ground, this.grid])
        plane.material.uniforms[key].value.set(sky[key]);
    this.sun.intensity = sky.sun;
    this.fill.intensity = sky.fill;
    this.touch();
  }

  // --- objects ---

  clear() {
    for (const node of this.nodes)
      node.traverse((part) => {
        for (const material of Object.values(part.userData.looks ?? {}))
          material.dispose();
        part.userData.own?.dispose();
        part.geometry?.dispose();
        part.material?.map?.dispose();
        part.material?.dispose();
      });
    this.objects.clear();
    this.ghosts.clear();
    this.nodes = [];
  }

  async load(description) {
    this.clear();
    this.there = description.objects.map((object) => !object.spawnable); // in the world, not waiting to be spawned
    this.materials = await Promise.all((description.materials ?? []).map(async (name) => (await this.readFile(name))[0][1]));
    const waiting = [];
    for (const [index, object] of description.objects.entries()) {
      const node = new Group();
      node.userData.index = index;
      node.userData.hidden = object.hidden ?? false;
      node.visible = !object.hidden && !object.spawnable;
      place(node, object.pose);
      for (const shape of object.shapes ?? [])
        waiting.push(this.addShape(node, shape));
      if (object.lamp !== undefined && !object.beside)
        this.addLamp(node, object.lamp);
      node.userData.isGhost = object.beside ?? false;
      (object.beside ? this.ghosts : this.objects).add(node);
      this.nodes.push(node);
    }
    await Promise.all(waiting);
    for (const node of this.ghosts.children)
      this.makeGhost(node);
    this.setLooks(this.looks);
    this.measure();
    this.touch();
  }

  // One that is seen through, in one color, and throws no shadow; or whole, with a tinge where it is
  // elsewhere than in this run.
  makeGhost(node) {
    const faint = { transparent: true, opacity: 0.4, depthWrite: false, roughness: 1 };
    for (const part of node.children.filter((one) => one.isMesh)) {
      const marked = part.material.clone();
      marked.emissive?.set(DIFFERENT);
      marked.emissiveIntensity = 0.3;
      part.userData.looks = { plain: part.material, marked,
                              ghost: new MeshStandardMaterial({ color: GHOST, ...faint }),
                              different: new MeshStandardMaterial({ color: DIFFERENT, ...faint }) };
    }
    this.setDiffers(node.userData.index, false);
  }

  setDiffers(index, differs) {
    const look = this.split ? (differs ? 'marked' : 'plain') : (differs ? 'different' : 'ghost');
    const node = this.nodes[index];
    if (node.userData.look === look)
      return;
    node.userData.look = look;
    for (const part of node.children)
      if (part.userData.looks !== undefined) {
        part.material = part.userData.looks[look];
        part.castShadow = part.receiveShadow = this.split;
      }
  }

  // Whether the other run has a half of the picture.
  setSplit(split) {
    this.split = split;
    this.resize();
  }

  async readFile(name) {
    if (!this.files.has(name))
      this.files.set(name, fetch(`assets/${name}.glb${location.search}`).then((answer) => answer.arrayBuffer()).then(readGlb));
    return this.files.get(name);
  }

  async addShape(node, shape) {
    const pieces = shape.size !== undefined ? [[makeGeometry(shape), makeMaterial(shape.material)]]
      : shape.asset !== undefined ? await this.readFile(shape.asset) : [];
    const box = new Box3();
    for (const [geometry] of pieces) {
      geometry.computeBoundingBox();
      box.union(geometry.boundingBox);
    }
    for (const [geometry, material] of pieces) {
      const lays = this.materials.length > 0 && (shape.size !== undefined || geometry.getAttribute('uv') === undefined);
      const mesh = new Mesh(lays ? layTexture(geometry, box) : geometry, material);
      place(mesh, shape.pose);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData.index = node.userData.index;
      node.add(mesh);
    }
    this.touch();
  }

  // All lamps, colours, materials and sizes that are not as in the scene; those that were so before are again.
  setLooks(looks) {
    this.looks = looks;
    const present = new Map(this.nodes.map((node) => [node.userData.index, {}]));
    for (const { object, what, value } of looks)
      if (present.has(object))
        present.get(object)[what] = value;
    for (const node of this.nodes) {
      const { color, light, energy, material, scale } = present.get(node.userData.index);
      for (const part of node.children.filter((one) => one.isMesh)) {
        setMaterial(part, color, this.materials[material?.[0] - 1]);
        if (scale !== undefined || !part.matrixAutoUpdate)
          stretch(part, scale);
      }
      if (node.userData.light !== undefined)
        setLight(node.userData.light, light, energy?.[0]);
    }
    this.touch();
  }

  addLamp(node, lamp) {
    const [, , angle, blend] = lamp.values;
    if (lamp.kind === 'sun')
      return; // the page has a sun of its own
    const light = lamp.kind === 'spot'
      ? new SpotLight(undefined, undefined, 0, Math.min(angle / 2, 1.5), blend)
      : new PointLight();
    light.userData.lamp = lamp;
    node.userData.light = light;
    setLight(light);
    if (lamp.kind === 'spot') {
      light.target.position.set(...lamp.direction);
      node.add(light.target);
    }
    node.add(light);
  }

  // How large the scene is: the ground, the sun's shadow and the first view depend on it.
  measure() {
    const box = new Box3();
    this.floor = undefined;
    for (const node of this.objects.children.filter((one) => this.there[one.userData.index])) {
      node.updateMatrixWorld(true);
      const own = this.boxOf(node);
      this.considerFloor(own, node);
      if (!own.isEmpty() && own.getSize(new Vector3()).length() < 500)
        box.union(own);
    }
    if (box.isEmpty())
      box.set(new Vector3(-3, -3, 0), new Vector3(3, 3, 1));
    box.getCenter(this.center);
    this.size = Math.max(box.getSize(new Vector3()).length(), 3);
    this.box = box;
    const reach = Math.max(40, 3 * this.size);
    this.ground.scale.setScalar(2 * reach);
    this.ground.position.set(this.center.x, this.center.y, Math.min(0, box.min.z) - 0.004);
    this.ground.material.uniforms.reach.value = reach;
    this.ground.material.uniforms.center.value.set(this.center.x, this.center.y);
    this.grid.visible = this.floor !== undefined && this.isPlain;
    if (this.grid.visible) {
      const size = this.floor.getSize(new Vector3());
      const middle = this.floor.getCenter(new Vector3());
      this.grid.scale.set(size.x, size.y, 1);
      this.grid.position.set(middle.x, middle.y, this.floor.max.z + 0.002);
    }
    this.camera.far = Math.max(500, 12 * this.size);
    this.camera.near = this.camera.far / 40000;
    this.camera.updateProjectionMatrix();
    this.placeSun(this.center, Math.min(this.size, SHADOW_REACH));
  }

  // The largest flat thing at about z = 0 is a floor; it gets lines if it has no picture.
  considerFloor(box, node) {
    const size = box.getSize(new Vector3());
    if (box.isEmpty() || size.z > 0.3 || Math.abs(box.max.z) > 0.3 || size.x * size.y < 50)
      return;
    const known = this.floor?.getSize(new Vector3());
    if (known !== undefined && size.x * size.y < known.x * known.y)
      return;
    this.floor = box;
    this.isPlain = !node.children.some((child) => child.material?.map);
  }

  placeSun(target, size) {
    const shadow = this.sun.shadow.camera;
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).add(new Vector3(0.45, -0.6, 1).multiplyScalar(size));
    shadow.left = shadow.bottom = -0.7 * size;
    shadow.right = shadow.top = 0.7 * size;
    shadow.near = 0.05 * size;
    shadow.far = 3 * size;
    this.sun.shadow.normalBias = 2.5 * 1.4 * size / 2048;
    shadow.updateProjectionMatrix();
  }

  boxOf(node) {
    const box = new Box3();
    for (const child of node.children)
      if (child.isMesh)
        box.expandByObject(child);
    return box;
  }

  // Of an object and of those below it.
  boxOfTree(index, parents) {
    const box = new Box3();
    for (let i = index; i < this.nodes.length; i++)
      for (let at = this.there[i] ? i : -1; at >= 0; at = parents[at])
        if (at === index) {
          box.union(this.boxOf(this.nodes[i]));
          break;
        }
    if (box.isEmpty())
      box.setFromCenterAndSize(this.nodes[index].position, new Vector3(0.3, 0.3, 0.3));
    return box;
  }

  // Whether one came or went: what is not there has no numbers.
  setPoses(rows) {
    const n = Math.min(this.nodes.length, rows.length / 7);
    const isThere = (index) => Number.isFinite(rows[7 * index]);
    const changed = this.nodes.filter(({ userData: { index } }) => index < n && isThere(index) !== this.there[index]);
    const followed = this.there[this.followed] && isThere(this.followed) ? this.nodes[this.followed] : undefined;
    const before = followed?.position.clone();
    for (const node of changed) {
      this.there[node.userData.index] = isThere(node.userData.index);
      node.visible = this.there[node.userData.index] && !node.userData.hidden;
    }
    for (let i = 0; i < n; i++)
      if (this.there[i])
        place(this.nodes[i], rows.subarray(7 * i, 7 * i + 7));
    if (followed !== undefined) {
      const step = followed.position.clone().sub(before);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.touch();
    return changed.length > 0;
  }

  // --- looking ---

  // @index, @camera: an object that is one of the scene's cameras, and what it sees; none: the view
  // that was there before
  lookThrough(index, camera) {
    this.through = camera === undefined ? undefined : { index, camera };
    this.controls.enabled = this.through === undefined;
    this.fitLens();
    this.touch();
  }

  // That by which the picture is drawn.
  get eye() {
    return this.through === undefined ? this.camera : this.lens;
  }

  // All that the camera sees is in the picture, and what is beside it where the picture is wider or
  // higher.
  fitLens() {
    if (this.through === undefined)
      return;
    const { size: [width, height], fov, near, far } = this.through.camera;
    const [half] = this.halves();
    const aspect = half.width / half.height;
    const across = Math.tan(fov / 2);
    const up = across * height / width;
    const shown = Math.max(up, across / aspect);
    Object.assign(this.lens, { aspect, near, far, fov: 360 / Math.PI * Math.atan(shown) });
    this.lens.updateProjectionMatrix();
    this.through.share = [across / (shown * aspect), up / shown];
    this.placeLens();
  }

  placeLens() {
    const node = this.nodes[this.through.index];
    this.lens.position.copy(node.position);
    this.lens.quaternion.copy(node.quaternion).multiply(FROM_CAMERA);
    this.lens.updateMatrixWorld();
  }

  // Where its picture is in the canvas.
  frame() {
    if (this.through === undefined)
      return undefined;
    const [{ left, top, width, height }] = this.halves();
    const [across, up] = this.through.share;
    return { left: left + width * (1 - across) / 2, top: top + height * (1 - up) / 2, width: width * across, height: height * up };
  }

  lookAtBox(box, way = new Vector3(0.75, -1, 0.62)) {
    const target = box.getCenter(new Vector3());
    const radius = Math.max(0.5 * box.getSize(new Vector3()).length(), 0.4);
    const half = Math.atan(Math.tan(Math.PI * this.camera.fov / 360) * Math.min(1, this.camera.aspect));
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(way.clone().normalize(), 1.05 * radius / Math.sin(half));
    this.controls.update();
    this.touch();
  }

  // What moves, and a little around it.
  lookAtStart(indices, parents) {
    const box = new Box3();
    for (const index of indices)
      box.union(this.boxOfTree(index, parents));
    if (box.isEmpty())
      box.copy(this.box);
    else
      box.expandByScalar(Math.max(1.2, 0.15 * box.getSize(new Vector3()).length()));
    this.lookAtBox(box);
  }

  lookAtAll() {
    this.followed = -1;
    this.lookAtBox(this.box);
  }

  lookFromTop() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).add(new Vector3(0, -0.001 * distance, distance));
    this.controls.update();
    this.touch();
  }

  follow(index) {
    this.followed = index;
    if (index < 0)
      return;
    const step = this.nodes[index].position.clone().sub(this.controls.target);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.controls.update();
    this.touch();
  }

  mark(index, parents) {
    this.marked = index;
    this.parents = parents;
    this.touch();
  }

  updateMarker() {
    this.marker.visible = this.marked >= 0 && this.marked < this.nodes.length;
    if (!this.marker.visible)
      return;
    this.objects.updateMatrixWorld(true);
    this.marker.box.copy(this.boxOfTree(this.marked, this.parents));
    this.marker.box.expandByScalar(0.01);
  }

  pick(x, y) {
    const bounds = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    const halves = this.halves().map((one) => ({ ...one, x: (x - bounds.left - one.left) / one.width,
                                                 y: (y - bounds.top - one.top) / one.height }));
    const inOther = halves.length > 1 && (halves[1].x >= 0 && halves[1].y >= 0);
    const at = halves[inOther ? 1 : 0];
    ray.setFromCamera(new Vector2(2 * at.x - 1, 1 - 2 * at.y), this.eye);
    const hit = ray.intersectObjects(this.nodes.filter((node) => node.visible && node.userData.isGhost === inOther), true)
      .find((found) => found.object.userData.index !== undefined);
    const index = hit?.object.userData.index ?? -1;
    return inOther ? this.pairs.get(index) ?? -1 : index;
  }

  // Where an object is in the window, for tests and labels.
  project(index) {
    const at = this.boxOf(this.nodes[index]).getCenter(new Vector3()).project(this.eye);
    const bounds = this.canvas.getBoundingClientRect();
    const half = this.halves()[this.split && this.nodes[index].userData.isGhost ? 1 : 0];
    return [bounds.left + half.left + (at.x + 1) / 2 * half.width, bounds.top + half.top + (1 - at.y) / 2 * half.height];
  }

  getView() {
    return { eye: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  setView(view) {
    this.camera.position.fromArray(view.eye);
    this.controls.target.fromArray(view.target);
    this.controls.update();
    this.touch();
  }

  draw() {
    if (!this.dirty)
      return false;
    this.dirty = false;
    this.updateMarker();
    if (this.through !== undefined)
      this.placeLens();
    if (this.size > SHADOW_REACH)
      this.placeSun(this.through === undefined ? this.controls.target : this.lens.position, SHADOW_REACH);
    for (const [i, half] of this.halves().entries())
      this.drawHalf(half, !this.split || i === 0, !this.split || i === 1);
    if (!this.renderer.debug.checkShaderErrors)
      setTimeout(() => this.checkPrograms());
    return true;
  }

  drawHalf({ left, top, width, height }, own, ghosts) {
    const { renderer } = this;
    const bottom = this.canvas.parentElement.clientHeight - top - height;
    this.objects.visible = this.layer.visible = own;
    this.ghosts.visible = ghosts;
    this.marker.visible &&= own;
    renderer.setScissorTest(this.split);
    renderer.setViewport(left, bottom, width, height);
    renderer.setScissor(left, bottom, width, height);
    renderer.shadowMap.needsUpdate = true;
    renderer.render(this.scene, this.eye);
    this.objects.visible = this.layer.visible = this.ghosts.visible = true;
  }
}

export { Quaternion, Vector3 };
