// Arrows and circles on the board, drawn over it: with the right button, with a finger or the mouse
// while drawing is on, or written in their field. Not for keeping them (tree.js).

const SVG = "http://www.w3.org/2000/svg"
const COLOURS = {G: "#15781b", R: "#b02a2a", B: "#1f5fa8", Y: "#c98a00"}

export class Marks {
    constructor(table, signal) {
        this.table = table
        this.isDrawing = false
        this.isOn = false
        /** @type {(shape: string) => void} */
        this.drawn = () => {} // told of a shape: "Ge2e4", or "Ge4" for a circle
        this.layer = document.createElementNS(SVG, "svg")
        this.layer.setAttribute("viewBox", "0 0 8 8")
        this.layer.setAttribute("class", "marks")
        this.layer.setAttribute("aria-hidden", "true")
        table.place.append(this.layer)
        this._listen(table.place, signal)
    }

    show(shapes) {
        this.layer.replaceChildren(...shapes.map((shape) => this._drawing(shape)))
    }

    _centre(square) {
        const [x, y] = [square.charCodeAt(0) - 97, Number(square[1]) - 1]
        return this.table.board.getOrientation() === "w" ? [x + 0.5, 7.5 - y] : [7.5 - x, y + 0.5]
    }

    _drawing(shape) {
        const colour = COLOURS[shape[0]]
        const [x, y] = this._centre(shape.slice(1, 3))
        if (shape.length === 3) {
            return made("circle", {cx: x, cy: y, r: 0.44, fill: "none", stroke: colour})
        }
        const [toX, toY] = this._centre(shape.slice(3))
        const length = Math.hypot(toX - x, toY - y)
        const [along, up] = [(toX - x) / length, (toY - y) / length]
        const [neckX, neckY] = [toX - 0.42 * along, toY - 0.42 * up]
        const corner = (side) => `${neckX - side * 0.22 * up},${neckY + side * 0.22 * along}`
        const group = made("g", {stroke: colour, fill: colour})
        group.append(
            made("line", {x1: x, y1: y, x2: neckX, y2: neckY}),
            made("polygon", {points: `${toX},${toY} ${corner(1)} ${corner(-1)}`, stroke: "none"}),
        )
        return group
    }

    _listen(place, signal) {
        let from = "", colour = "G"
        const isOurs = (event) => this.isOn && (event.button === 2 || this.isDrawing)
        place.addEventListener("pointerdown", (event) => {
            if (isOurs(event)) {
                event.stopPropagation()
                from = this._square(event)
                colour = event.shiftKey ? "R" : event.altKey ? "B" : event.ctrlKey ? "Y" : "G"
            }
        }, {signal, capture: true})
        for (const kind of ["mousedown", "touchstart"]) {
            place.addEventListener(kind, (event) => {
                if (isOurs(event)) {
                    event.stopPropagation()
                    event.preventDefault()
                }
            }, {signal, capture: true, passive: false})
        }
        addEventListener("pointerup", (event) => {
            const to = from && this._square(event)
            if (to) {
                this.drawn(colour + (from === to ? to : from + to))
            }
            from = ""
        }, {signal})
        addEventListener("pointercancel", () => {
            from = ""
        }, {signal})
    }

    _square({clientX, clientY}) {
        const box = this.layer.getBoundingClientRect()
        const x = Math.floor((clientX - box.left) / box.width * 8)
        const y = Math.floor((clientY - box.top) / box.height * 8)
        if (x < 0 || x > 7 || y < 0 || y > 7) {
            return ""
        }
        const isWhite = this.table.board.getOrientation() === "w"
        return "abcdefgh"[isWhite ? x : 7 - x] + (isWhite ? 8 - y : y + 1)
    }
}

function made(name, values) {
    const one = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(values)) {
        one.setAttribute(key, value)
    }
    return one
}

// Shapes as they are written in their field: "e2e4 d5 Rf7"; what is no shape is passed over.
export const shapesOf = (text) => [...text.matchAll(/\b([RGYB]?)([a-h][1-8](?:-?[a-h][1-8])?)\b/g)]
    .map(([, colour, squares]) => (colour || "G") + squares.replace("-", ""))
export const shapesText = (shapes) => shapes.map((one) => one.replace(/^G/, "")).join(" ")
