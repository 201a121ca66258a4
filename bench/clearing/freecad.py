# Lets FreeCAD clear pockets: reads job.json in the current folder, writes result.json there.
# Lengths are mm, feeds mm/min, angles degrees; times are processor time, s.
import json
import math
import sys
import time

import FreeCAD
import Part
import area

STRAIGHT = 1e-6  # of the cosine: a face that is level


def floor_name(shape, point):
    """Name of the level face of a shape under a point of it."""
    at = Part.Vertex(*point)
    for number, face in enumerate(shape.Faces, 1):
        if isinstance(face.Surface, Part.Plane) and face.distToShape(at)[0] < 1e-3:
            u0, u1, v0, v1 = face.ParameterRange
            if face.normalAt((u0 + u1) / 2, (v0 + v1) / 2).z > 1 - STRAIGHT:
                return "Face%d" % number
    raise ValueError("no level face at %s" % (point,))


def commands(operation):
    """Moves of an operation: code, then x, y, z, i, j and feed, null where the command has none."""
    out = []
    for c in operation.Path.Commands:
        if c.Name in ("G0", "G1", "G2", "G3"):
            feed = c.Parameters.get("F")
            row = [int(c.Name[1])] + [c.Parameters.get(k) for k in "XYZIJ"]
            out.append(row + [None if feed is None else 60 * feed])
    return out


def set_depths(operation, pocket, down):
    values = {"StartDepth": pocket["top"], "FinalDepth": pocket["bottom"], "StepDown": down,
              "ClearanceHeight": pocket["top"] + 5, "SafeHeight": pocket["top"] + 3}
    for name, value in values.items():
        operation.setExpression(name, None)
        setattr(operation, name, value)


def run(job, part, wanted, pocket):
    """Path of a wanted operation on a pocket of a part."""
    import PathScripts.PathAdaptive as PathAdaptive
    import PathScripts.PathPocketShape as PathPocketShape

    controller = job.Tools.Group[0]
    controller.HorizFeed = "%f mm/min" % part["feed"]
    percent = round(100 * part["radial"] / part["diameter"])
    if wanted["kind"] == "pocket":
        controller.VertFeed = "%f mm/min" % part["plungeFeed"]
        o = PathPocketShape.Create("Pocket")
        o.OffsetPattern, o.StartAt, o.CutMode = "Offset", "Center", "Climb"
        o.KeepToolDown, o.ExtraOffset, o.StepOver = True, part["leave"], percent
    else:
        controller.VertFeed = "%f mm/min" % part["rampFeed"]
        o = PathAdaptive.Create("Adaptive")
        o.OperationType, o.Side, o.FinishingProfile = "Clearing", "Inside", False
        o.StockToLeave, o.StepOver, o.HelixAngle = part["leave"], percent, part["rampDeg"]
    set_depths(o, pocket, wanted["stepdown"] or 2 * (pocket["top"] - pocket["bottom"]))
    o.ToolController = controller
    o.Base = [(job.Model.Group[0], [floor_name(job.Model.Group[0].Shape, pocket["floor"])])]
    start = time.process_time()
    FreeCAD.ActiveDocument.recompute()
    return {"seconds": time.process_time() - start, "commands": commands(o)}


def clear_part(part):
    """Paths of the wanted operations of a part, for each of its pockets."""
    import PathScripts.PathJob as PathJob

    document = FreeCAD.newDocument()
    body = document.addObject("Part::Feature", "Body")
    body.Shape = Part.read(part["file"])
    document.recompute()
    job = PathJob.Create("Job", [body], None)
    for side in ("Xneg", "Xpos", "Yneg", "Ypos", "Zneg", "Zpos"):
        setattr(job.Stock, "Ext" + side, 0)
    document.recompute()
    job.Tools.Group[0].Tool.Diameter = part["diameter"]
    document.recompute()
    out = [[run(job, part, wanted, p) for p in part["pockets"]] for wanted in part["operations"]]
    FreeCAD.closeDocument(document.Name)
    return {"operations": out}


def clear_polygon(job):
    """Adaptive clearing of a pocket with straight walls, one level; moves are kind, x, y and the radius of a helix."""
    loops = [loop + loop[:1] for loop in job["loops"]]
    xs, ys = zip(*(p for loop in loops for p in loop))
    x0, x1 = min(xs) - 2 * job["diameter"], max(xs) + 2 * job["diameter"]
    y0, y1 = min(ys) - 2 * job["diameter"], max(ys) + 2 * job["diameter"]
    a = area.Adaptive2d()
    a.opType = area.AdaptiveOperationType.ClearingInside
    a.toolDiameter, a.stepOverFactor = job["diameter"], job["stepover"] / job["diameter"]
    a.tolerance, a.keepToolDownDistRatio, a.helixRampDiameter = 0.1, 3.0, 0
    a.stockToLeave, a.forceInsideOut, a.finishingProfile = 0, False, False
    start = time.process_time()
    regions = a.Execute([[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]], loops, lambda paths: False)
    seconds = time.process_time() - start
    moves = []
    for region in regions:
        center, begin = region.HelixCenterPoint, region.StartPoint
        moves.append(["enter", center[0], center[1], math.dist(center, begin)])
        moves.append(["link", begin[0], begin[1], 0])
        up = False
        for kind, points in region.AdaptivePaths:
            if int(kind) == int(area.AdaptiveMotionType.LinkNotClear):
                up = points[-1] if len(points) else up
                continue
            name = "cut" if int(kind) == int(area.AdaptiveMotionType.Cutting) else "link"
            if up:
                moves.append(["enter", up[0], up[1], 0])
            up = False
            moves.extend([name, p[0], p[1], 0] for p in points)
    return {"seconds": seconds, "moves": moves}


def attempt(work, job):
    try:
        return work(job)
    except Exception as e:
        return {"error": "%s: %s" % (type(e).__name__, e)}


with open("job.json") as f:
    task = json.load(f)
result = {"version": ".".join(FreeCAD.Version()[:3]),
          "parts": [attempt(clear_part, p) for p in task.get("parts") or []],
          "pockets": [attempt(clear_polygon, p) for p in task.get("pockets") or []]}
with open("result.json", "w") as f:
    json.dump(result, f)
sys.exit(0)
