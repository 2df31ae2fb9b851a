// What is noted at the move shown: comment, signs, arrows and circles, in their fields and on the
// board. Not for keeping them (saving.js).

import {Marks, shapesOf, shapesText} from "./marks.js"
import {element} from "./page.js"

const SELECTS = ["tree-sign", "tree-value"]

export class Noting {
    // `changed()` is told when the node was noted something.
    constructor(table, changed, signal) {
        this.table = table
        this.changed = changed
        this.node = null
        this.marks = new Marks(table, signal)
        this.marks.drawn = (shape) => this._toggle(shape)
        element("tree-comment").addEventListener("change", () => this.leave())
        element("tree-shapes").addEventListener("change", (/** @type {any} */ event) => {
            this.node.shapes = shapesOf(event.target.value)
            this.draw()
            this.changed()
        })
        for (const id of SELECTS) {
            element(id).addEventListener("change", (event) => this._sign(event.target))
        }
    }

    show(node) {
        this.node = node
        this.marks.isOn = true
        element("tree-comment").value = node.comment
        element("tree-shapes").value = shapesText(node.shapes)
        for (const select of SELECTS.map(element)) {
            select.value = node.nags.find((nag) => select.querySelector(`[value="${nag}"]`)) || ""
            select.disabled = !node.parent
        }
        document.getElementById("tree-plan")?.setAttribute("aria-pressed", String(node.isPlan))
        this.draw()
    }

    draw() {
        this.marks.show(this.node?.shapes || [])
    }

    // The move or the field is left: what is written there is noted.
    leave() {
        const text = element("tree-comment").value.replace(/\s+/g, " ").trim()
        if (this.node && text !== this.node.comment) {
            this.node.comment = text
            this.changed()
        }
    }

    stop() {
        this.leave()
        this.node = null
        this.marks.isOn = false
        this._setDrawing(false)
        this.draw()
    }

    turnDrawing() {
        this._setDrawing(!this.marks.isDrawing)
    }

    _setDrawing(isOn) {
        this.marks.isDrawing = isOn
        this.table.place.classList.toggle("drawing", isOn)
        element("tree-draw").setAttribute("aria-pressed", String(isOn))
    }

    _sign(select) {
        const others = [...select.options].map((one) => Number(one.value))
        this.node.nags = this.node.nags.filter((nag) => !others.includes(nag))
        if (select.value) {
            this.node.nags = [...this.node.nags, Number(select.value)].sort((a, b) => a - b)
        }
        this.changed()
    }

    _toggle(shape) {
        const {shapes} = this.node
        this.node.shapes = shapes.filter((one) => one.slice(1) !== shape.slice(1))
        if (!shapes.includes(shape)) {
            this.node.shapes.push(shape)
        }
        element("tree-shapes").value = shapesText(this.node.shapes)
        this.draw()
        this.changed()
    }
}
