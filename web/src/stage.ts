// SPDX-License-Identifier: Apache-2.0
// The picture: triangles with a value at each corner, coloured pixel by pixel, and the lines of the mesh.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, GLSL3, LinearFilter, LineBasicMaterial, LineSegments, Mesh,
  MOUSE, OrthographicCamera, PerspectiveCamera, RGBAFormat, Scene, ShaderMaterial, TOUCH, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Geometry } from "./protocol";

const vertexShader = `
in float value;
out float shown;
out vec3 place;
void main() {
  shown = value;
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  place = at.xyz;
  gl_Position = projectionMatrix * at;
}`;

// Values that are not finite are grey. In space a light from the eye shows the shape.
const fragmentShader = `
uniform sampler2D colours;
uniform float low, high, opacity;
uniform bool shaded;
in float shown;
in vec3 place;
out vec4 colour;
void main() {
  float along = clamp((shown - low) / (high - low), 0.0, 1.0);
  vec3 hue = isnan(shown) || isinf(shown) ? vec3(0.5) : texture(colours, vec2(along * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  if (shaded) {
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    hue *= 0.72 + 0.28 * abs(dot(normal, normalize(place)));
  }
  colour = vec4(hue, opacity);
}`;

export type Surface = "solid" | "glass" | "off";

class Part {
  readonly mesh: Mesh;
  readonly lines: LineSegments;

  constructor(readonly geometry: Geometry, material: ShaderMaterial, lineMaterial: LineBasicMaterial) {
    const points = new BufferAttribute(geometry.points, 3);
    const faces = new BufferGeometry();
    faces.setAttribute("position", points);
    const values = new BufferAttribute(new Float32Array(geometry.points.length / 3), 1);
    values.setUsage(DynamicDrawUsage);
    faces.setAttribute("value", values);
    faces.setIndex(new BufferAttribute(geometry.triangles, 1));
    this.mesh = new Mesh(faces, material);
    this.mesh.frustumCulled = false;
    const edges = new BufferGeometry();
    edges.setAttribute("position", points);
    edges.setIndex(new BufferAttribute(geometry.lines, 1));
    this.lines = new LineSegments(edges, lineMaterial);
    this.lines.frustumCulled = false;
    this.mesh.visible = this.lines.visible = false; // until its values have come
  }

  setValues(values: Float32Array): void {
    const attribute = this.mesh.geometry.getAttribute("value") as BufferAttribute;
    (attribute.array as Float32Array).set(values);
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.lines.geometry.dispose();
  }
}

export class Stage {
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera: OrthographicCamera | PerspectiveCamera = new OrthographicCamera();
  private controls: OrbitControls | null = null;
  private whole: Part | null = null;
  private slice: Part | null = null;
  private next: Part | null = null; // a slice whose values are on their way
  private texture = new DataTexture(new Uint8Array(4 * 256), 256, 1, RGBAFormat);
  private wholeMaterial = this.material();
  private sliceMaterial = this.material();
  private lineMaterial = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22 });
  private size = new Vector3(1, 1, 1);
  private dirty = true;
  private surface: Surface = "solid";
  private showLines = false;
  dim = 2;

  constructor(private canvas: HTMLCanvasElement) {
    this.texture.magFilter = this.texture.minFilter = LinearFilter;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setClearAlpha(0);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement as HTMLElement);
    const draw = () => {
      requestAnimationFrame(draw);
      if (!this.dirty || !this.whole) return;
      this.dirty = false;
      this.renderer.render(this.scene, this.camera);
    };
    draw();
  }

  private material(): ShaderMaterial {
    return new ShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, // lines lie before their faces
      uniforms: {
        colours: { value: this.texture }, low: { value: 0 }, high: { value: 1 }, opacity: { value: 1 }, shaded: { value: false },
      },
    });
  }

  begin(dim: number, low: number[], high: number[]): void {
    this.dim = dim;
    this.size.set(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    this.controls?.dispose();
    this.camera = dim === 2 ? new OrthographicCamera() : new PerspectiveCamera(35);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    if (dim === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
    }
    this.controls.addEventListener("change", () => this.redraw());
    this.fit();
  }

  fit(): void {
    const radius = Math.max(this.size.length() / 2, 1e-30);
    this.controls?.target.set(0, 0, 0);
    this.camera.up.set(0, this.dim === 2 ? 1 : 0, this.dim === 2 ? 0 : 1);
    if (this.camera instanceof PerspectiveCamera) {
      const narrow = Math.min(1, this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1));
      this.camera.position.set(0.55, -0.75, 0.5).setLength((1.1 * radius) / Math.sin((17.5 * Math.PI) / 180) / narrow);
      this.camera.near = radius / 100;
      this.camera.far = radius * 100;
    } else {
      this.camera.position.set(0, 0, 10 * radius);
      this.camera.near = 0;
      this.camera.far = 20 * radius;
      this.camera.zoom = 1;
    }
    this.resize();
    this.controls?.update();
  }

  private resize(): void {
    const host = this.canvas.parentElement as HTMLElement;
    const width = Math.max(host.clientWidth, 1), height = Math.max(host.clientHeight, 1), aspect = width / height;
    this.renderer.setSize(width, height, false);
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.aspect = aspect;
    } else {
      const half = 0.54 * Math.max(this.size.y, this.size.x / aspect, 1e-30);
      this.camera.top = half;
      this.camera.bottom = -half;
      this.camera.right = half * aspect;
      this.camera.left = -half * aspect;
    }
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  redraw(): void {
    this.dirty = true;
  }

  setGeometry(geometry: Geometry): void {
    if (geometry.part === "whole") {
      this.remove(this.whole);
      this.whole = this.add(new Part(geometry, this.wholeMaterial, this.lineMaterial));
      return;
    }
    this.next?.dispose();
    this.next = new Part(geometry, this.sliceMaterial, this.lineMaterial);
  }

  dropSlice(): void {
    this.remove(this.slice);
    this.next?.dispose();
    this.slice = this.next = null;
    this.redraw();
  }

  private add(part: Part): Part {
    this.scene.add(part.mesh, part.lines);
    return part;
  }

  private remove(part: Part | null): void {
    if (!part) return;
    this.scene.remove(part.mesh, part.lines);
    part.dispose();
  }

  setValues(values: Map<number, Float32Array>): void {
    if (this.next && values.has(this.next.geometry.number)) {
      this.remove(this.slice);
      this.slice = this.add(this.next);
      this.next = null;
    }
    for (const part of [this.whole, this.slice]) {
      const given = part && values.get(part.geometry.number);
      if (!part || !given) continue;
      part.setValues(given);
      part.mesh.visible = true;
    }
    this.applyLook();
  }

  setScale(low: number, high: number): void {
    for (const material of [this.wholeMaterial, this.sliceMaterial]) {
      material.uniforms.low.value = low;
      material.uniforms.high.value = high;
    }
    this.redraw();
  }

  setColours(table: Uint8Array): void {
    (this.texture.image.data as Uint8Array).set(table);
    this.texture.needsUpdate = true;
    this.redraw();
  }

  setLook(surface: Surface, lines: boolean, dark: boolean): void {
    this.surface = surface;
    this.showLines = lines;
    this.lineMaterial.color.set(dark ? 0xffffff : 0x000000);
    this.applyLook();
  }

  private applyLook(): void {
    const solid = this.dim === 3;
    const glass = solid && this.surface === "glass", off = solid && this.surface === "off";
    this.wholeMaterial.uniforms.opacity.value = glass ? 0.18 : 1;
    this.wholeMaterial.transparent = glass;
    this.wholeMaterial.depthWrite = !glass;
    this.wholeMaterial.uniforms.shaded.value = solid;
    if (this.whole) {
      this.whole.mesh.visible = !off;
      this.whole.mesh.renderOrder = glass ? 2 : 0; // glass is drawn over what is behind it
      this.whole.lines.visible = this.showLines && !off;
    }
    if (this.slice) this.slice.lines.visible = this.showLines;
    this.redraw();
  }

  picture(): string {
    this.renderer.render(this.scene, this.camera);
    return this.canvas.toDataURL("image/png");
  }
}
