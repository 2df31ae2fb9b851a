// A series built on the board (§ 6.2.5): after one's own move the opponent's answer and one's own
// next move, and so on. It stands in the field as a mail would have it: 12. 7163 02836 13. 6125.
// Typing it stays possible.

import {ends, half, numbered, placings} from "./position.js"
import {element, say} from "./page.js"

const MOST_PLIES = 31

export class Proposing {
    constructor(table, steps, given, words, rules, playing) {
        this.table = table
        this.steps = steps
        this.given = given
        this.words = words
        this.rules = rules
        this.playing = playing
        this.says = element("propose-says")
        this.undo = element("propose-back")
        /** @type {string[]} UCI */
        this.moves = []
        this.undo.addEventListener("click", () => this.back())
    }

    // With a line of the reader's, or with the move that stands in the field.
    start(line = []) {
        this.moves = line.length > 0 ? line.slice(0, MOST_PLIES) : [this.playing.entered].filter(Boolean)
        this.undo.hidden = false
        this.table.listen({
            color: undefined,
            legal: () => this._legal(),
            played: (uci) => {
                this.moves.push(uci)
                this._changed()
            },
        })
        if (line.length > 0) {
            this._changed()
        } else {
            this._tell()
        }
    }

    // Only one's own move is left, in the field and on the board.
    stop() {
        this.undo.hidden = true
        say(this.says, "")
        const [own] = this.moves
        if (own) {
            this.playing.enter(own)
        }
    }

    back() {
        this.moves.pop()
        this._changed()
    }

    _legal() {
        return this.moves.length < MOST_PLIES ? this.rules.legal(this._fen()) : []
    }

    _fen() {
        const all = [...this.steps.moves, ...this.moves]
        return this.rules.fenAfter(this.given.start, all)
    }

    _changed() {
        const all = placings(this.steps.placings.at(-1), this.moves)
        const last = this.moves.at(-1) || this.steps.moves.at(-1)
        this.playing.entered = this.moves[0] || ""
        this.playing.field.value = this.given.prefix + this._text()
        this.playing.changed()
        say(this.steps.status, this.moves.length > 0 ? "" : this.steps.told(this.steps.ply))
        this.table.show(all.at(-1), ends(last)).then(() => {
            this.given.shown = this.moves.join(" ")
        })
        this._tell()
    }

    // The whole pairs after one's own move; an answer of the opponent's alone is no series.
    get _whole() {
        return this.moves.slice(0, this.moves.length - (this.moves.length + 1) % 2)
    }

    _text() {
        const whole = this._whole
        if (whole.length < 3) {
            return this.playing.texts.get(this.moves[0]) || ""
        }
        const ply = this.steps.moves.length
        return whole.map((uci, index) => {
            const at = half(this.given.start, ply + index)
            const zero = index === 1 ? "0" : ""
            const isBound = index === 0 && this.given.prefix
            const first = index === 0 && !at.white ? `${at.number}... ` : ""
            const number = isBound ? "" : at.white ? `${at.number}. ` : first
            return number + zero + this.rules.numeric(uci)
        }).join(" ")
    }

    _tell() {
        const {moves, words} = this
        say(this.playing.says, "")
        this.undo.disabled = moves.length === 0
        if (moves.length === 0) {
            say(this.says, words.series_own)
            return
        }
        const ply = this.steps.moves.length
        const fen = this.rules.fenAfter(this.given.start, this.steps.moves)
        const texts = this.rules.written(fen, moves, this.given)
        const own = numbered(this.given.start, ply, texts.slice(0, 1))
        const series = numbered(this.given.start, ply + 1, texts.slice(1))
        const said = moves.length === 1 ? words.series_reply
            : moves.length % 2 === 0 ? words.series_answer : words.series_done
        say(this.says, said.replace("{own}", own).replace("{series}", series))
    }
}
