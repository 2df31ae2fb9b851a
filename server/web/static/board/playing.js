// One's own move: what is played on the board goes into the field, is shown and said; nothing is
// sent from here. Touching a piece while a move stands on the board takes it back.

import {after, ends} from "./position.js"

export class Playing {
    constructor(table, steps, given, words) {
        this.table = table
        this.steps = steps
        this.given = given
        this.words = words
        this.texts = new Map(JSON.parse(given.moves))
        this.field = document.getElementById("text")
        this.says = document.getElementById("board-says")
        this.color = steps.placings.at(-1) && sideToMove(given, steps.moves.length)
        this.entered = ""
    }

    // Take moves from the board while it shows the position now.
    start() {
        this.table.listen({
            color: this.color,
            legal: () => [...this.texts.keys()],
            played: (uci) => this.enter(uci),
            touched: () => this._touched(),
        })
    }

    enter(uci) {
        const text = this.texts.get(uci)
        this.entered = uci
        this.field.value = this.given.prefix + text
        this.says.textContent = this.words.entered.replace("{move}", text)
        this.table.show(after(this.steps.placings.at(-1), uci), ends(uci)).then(() => {
            this.given.shown = uci
        })
    }

    forget() {
        this.entered = ""
        this.given.shown = ""
    }

    _touched() {
        if (!this.entered) {
            return true
        }
        this.entered = ""
        this.field.value = this.given.prefix
        this.says.textContent = ""
        this.steps.show().then(() => {
            this.given.shown = ""
        })
        return false
    }
}

function sideToMove(given, plies) {
    const isWhite = (given.start.split(" ")[1] === "w") === (plies % 2 === 0)
    return isWhite ? "w" : "b"
}
