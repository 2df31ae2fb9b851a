// One's own move: what is played on the board goes into the field, what is typed there is shown on
// the board, and under the board it is said that it is not sent; nothing is sent from here.
// Touching a piece while a move stands on the board takes that move back, and another piece is held.

import {Draft} from "./draft.js"
import {after, ends} from "./position.js"
import {element, say} from "./page.js"

export class Playing {
    constructor(table, steps, given, words) {
        this.table = table
        this.steps = steps
        this.given = given
        this.words = words
        this.texts = new Map(JSON.parse(given.moves))
        this.form = element("move-form")
        this.field = element("text")
        this.box = element("unsent")
        this.says = element("board-says")
        this.color = steps.placings.at(-1) && sideToMove(given, steps.moves.length)
        this.entered = ""
        this.typed = () => {}
        this.draft = new Draft(given, this.form)
        this.draft.restore()
        this.player = {
            color: this.color,
            legal: () => [...this.texts.keys()],
            played: (uci) => this._played(uci),
            touched: (square) => this._touched(square),
        }
        this.form.addEventListener("input", (event) => this._input(event))
        this.form.addEventListener("submit", () => this.draft.keep(true))
    }

    // Take moves from the board while it shows the position now.
    start() {
        this.table.listen(this.player)
    }

    // What the fields hold as the page opens.
    open() {
        this._follow(false)
        this.changed()
    }

    enter(uci) {
        this.field.value = this.given.prefix + this.texts.get(uci)
        this._show(uci)
        this.changed()
    }

    // Who goes on by himself from game to game is shown at once what will be sent.
    _played(uci) {
        this.enter(uci)
        if ("goesOn" in this.form.dataset) {
            this.form.requestSubmit()
        }
    }

    forget() {
        this.entered = ""
        this.given.shown = ""
    }

    // The fields hold something else: it is kept, and said to be not sent.
    changed() {
        const {words} = this
        this.draft.keep()
        const text = this.field.value.trim()
        const isEmpty = text === this.given.prefix.trim()
        const move = this.texts.get(this._move())
        const said = isEmpty ? words.enter : move ? words.entered.replace("{move}", move) : words.typed
        const message = this.form.elements.message.value.trim() ? words.entered_message : ""
        const all = [said, message].filter(Boolean).join(" ")
        say(this.says, all)
        this.box.classList.toggle("full", !isEmpty)
        this.field.classList.toggle("many", text.length > 14)
    }

    // The lawful move that stands alone in the field: as the board writes it, or as squares.
    _move() {
        const {value} = this.field
        const {prefix} = this.given
        const text = value.startsWith(prefix) ? value.slice(prefix.length).trim() : ""
        const found = text && [...this.texts].find(([uci, written]) =>
            written === text || uci === text.replace("-", "") || numeric(uci) === text
            || castled(written) === castled(text))
        return found ? found[0] : ""
    }

    _show(uci, animated = true) {
        this.entered = uci
        say(this.steps.status, "")
        const placing = after(this.steps.placings.at(-1), uci)
        this.table.show(placing, ends(uci), animated).then(() => {
            this.given.shown = uci
        })
    }

    // The board shows the move that stands in the field, or the game.
    _follow(animated = true) {
        const uci = this._move()
        if (this.table.player !== this.player || uci === this.entered) {
            return
        }
        if (uci) {
            this._show(uci, animated)
        } else {
            this._takeBack()
        }
    }

    _input(event) {
        if (event.target === this.field) {
            this.typed()
            this._follow()
        }
        this.changed()
    }

    _takeBack(animated = true) {
        this.entered = ""
        this.steps.show(animated).then(() => {
            this.given.shown = ""
        })
    }

    _touched(square) {
        if (!this.entered) {
            return true
        }
        const isAnother = square !== this.entered.slice(2, 4)
        this.field.value = this.given.prefix
        this._takeBack(!isAnother)
        this.changed()
        return isAnother
    }
}

// A promotion is written out: four digits would not say to what.
const numeric = (uci) =>
    (uci.length > 4 ? "" : [0, 2].map((i) => uci.charCodeAt(i) - 96 + uci[i + 1]).join(""))

// How many noughts castling has as people type it, 0-0, O-O, 00 or oo; NaN, like nothing, for the rest.
const castled = (text) => (/^[0o](?:-?[0o]){1,2}$/i.test(text) ? text.replace(/-/g, "").length : NaN)

function sideToMove(given, plies) {
    const isWhite = (given.start.split(" ")[1] === "w") === (plies % 2 === 0)
    return isWhite ? "w" : "b"
}
