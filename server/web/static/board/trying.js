// Trying moves without sending them: lines from any position of the game, for both sides. Going
// back and playing another move keeps both lines. They survive the page and the opponent's move
// (keeping.js), and a player can send one into his private analysis with the page's form.

import {ends, half, numbered, placings} from "./position.js"
import {MOST_LINES, MOST_MOVES, keep, load} from "./keeping.js"

const element = (id) => document.getElementById(id)
const isSame = (one, other) => one.ply === other.ply && one.moves.join() === other.moves.join()

export class Trying {
    constructor(table, steps, given, words, rules, saved) {
        this.table = table
        this.steps = steps
        this.given = given
        this.words = words
        this.rules = rules
        this.saved = saved
        this.isOn = false
        this.lines = load(given.key).filter((line) => this._fits(line))
        this._recognise()
        steps.line = this
        this.followers = []
        this.says = element("trying-says")
        this.list = element("trying-lines")
        this._listen()
    }

    start(moves = []) {
        this.isOn = true
        this.home = this.steps.ply
        this.table.listen({
            color: undefined,
            legal: () => this.rules.legal(this._fen()),
            played: (uci) => this.played(uci),
        })
        this.begin(this.steps.ply, moves)
    }

    // A line that begins at a position of the game. A series' plies lie beyond it (§ 6.2.5).
    begin(ply, moves = []) {
        const base = Math.min(ply, this.steps.played)
        this.current = {ply: base, moves: this.steps.moves.slice(base, ply)}
        this.cursor = this.current.moves.length
        moves.forEach((uci) => this._add(uci))
        this.show()
    }

    // Stepping through the game while trying: that is where one comes back to.
    follow(ply) {
        this.home = ply
        this.begin(ply)
    }

    open(line, cursor = line.moves.length) {
        this.current = line
        this.cursor = cursor
        this.show()
    }

    // A line of the browser's that the server keeps: by its number, or by its moves.
    _recognise() {
        const {lines, saved} = this
        for (const line of lines) {
            line.id = saved.find((one) => one.id === line.id)?.id
        }
        for (const line of lines) {
            const twin = saved.find((one) => isSame(one, line))
            if (twin && !lines.some((one) => one.id === twin.id)) {
                line.id = twin.id
            }
        }
    }

    // A line from elsewhere: kept among the others, once, where there is room.
    take(given) {
        if (this._fits(given)) {
            this.open(this._stored(given) || {...given})
        }
    }

    _stored({id, ply, moves}) {
        let line = this.lines.find((one) => isSame(one, {ply, moves}))
        if (!line && this.lines.length < MOST_LINES) {
            line = {ply, moves: [...moves]}
            this.lines.push(line)
        }
        if (line && id) {
            line.id = id
        }
        return line
    }

    played(uci) {
        const problem = this._add(uci)
        this.show()
        if (problem) {
            this.says.textContent = problem
        }
    }

    _add(uci) {
        const {current, cursor} = this
        if (current.moves[cursor] === uci) {
            this.cursor += 1
            return ""
        }
        const moves = [...current.moves.slice(0, cursor), uci]
        if (moves.length > MOST_MOVES) {
            return this.words.try_long
        }
        const known = this.lines.find((line) =>
            line.ply === current.ply && moves.every((move, i) => line.moves[i] === move))
        if (known) {
            this.current = known
        } else if (cursor === current.moves.length && this.lines.includes(current)) {
            current.moves.push(uci)
        } else if (this.lines.length < MOST_LINES) {
            this.current = {ply: current.ply, moves}
            this.lines.push(this.current)
        } else {
            return this.words.try_full
        }
        this.cursor += 1
        return ""
    }

    show() {
        const {current, cursor} = this
        const moves = current.moves.slice(0, cursor)
        const all = placings(this.steps.placings[current.ply], moves)
        const last = moves.at(-1) || this.steps.moves[current.ply - 1]
        this.table.show(all.at(-1), ends(last))
        this.steps.stand(current.ply)
        this._say(moves)
        this._draw()
        this._note()
        this.steps.drawNav()
        keep(this.given.key, this.lines)
        this.followers.forEach((follow) => follow(current.ply, moves, all.at(-1)))
    }

    stop() {
        this.isOn = false
        this.steps.stand(this.home)
        this.steps.show()
        this.steps.drawNav()
    }

    // Whether a line is on the board, and where in it: the page's own steps go through it.
    get at() {
        const {current, cursor, isOn} = this
        const count = current?.moves.length
        return isOn && count ? {isEnd: cursor === count, isStart: current.ply === 0 && cursor === 0} : null
    }

    // A step of the page's buttons and keys. From a line's beginning they go back into the game; at
    // its end they stay.
    step(name) {
        const {current, cursor} = this
        if (cursor === 0 && (name === "back" || name === "first")) {
            this.steps.go(name === "back" ? current.ply - 1 : 0)
        } else {
            const all = current.moves.length
            this.move({first: -cursor, back: -1, forward: 1, last: all - cursor}[name])
        }
    }

    move(by) {
        this.cursor = Math.max(0, Math.min(this.cursor + by, this.current.moves.length))
        this.show()
    }

    remove() {
        this.lines = this.lines.filter((line) => line !== this.current)
        this.begin(this.current.ply)
        this.says.textContent = this.words.try_removed
    }

    read(text) {
        if (!text.trim()) {
            return this.words.read_empty
        }
        const line = this.steps.moves.slice(0, this.steps.played)
        let found
        try {
            found = this.rules.read(text, this.given.start, line)
        } catch {
            return this.words.read_bad
        }
        if (!found) {
            return this.words.read_other
        }
        const lines = found.filter((one) => one.moves.length > 0)
            .map(({ply, moves}) => ({ply, moves: moves.slice(0, MOST_MOVES)}))
        const [main] = lines.length > 0 ? lines : found
        const base = this.steps.told(main.ply)
        if (lines.length === 0) {
            const isPosition = !/\d\s*\./.test(text)
            this.begin(main.ply)
            return (isPosition ? this.words.read_fen : this.words.read_same).replace("{move}", base)
        }
        const isFull = lines.map((line) => this._stored(line)).includes(undefined)
        this.take(main)
        const said = lines.length > 1 ? this.words.read_lines : this.words.read_pgn
        const told = said.replace("{move}", base).replace("{n}", lines.length)
        return isFull ? `${told} ${this.words.try_full}` : told
    }

    _fen() {
        const {current, cursor} = this
        const before = this.steps.moves.slice(0, current.ply)
        return this.rules.fenAfter(this.given.start, [...before, ...current.moves.slice(0, cursor)])
    }

    _fits(line) {
        const before = this.steps.moves.slice(0, line.ply)
        return line.ply <= this.steps.played
            && this.rules.isPlayable(this.given.start, [...before, ...line.moves])
    }

    _written(line) {
        const before = this.steps.moves.slice(0, line.ply)
        const fen = this.rules.fenAfter(this.given.start, before)
        return this.rules.written(fen, line.moves, this.given)
    }

    // The note of a line that the server keeps stands in its field, until another is written.
    _note() {
        const comment = element("trying-comment")
        if (comment) {
            comment.defaultValue = this.saved.find(({id}) => id === this.current.id)?.comment || ""
        }
    }

    _say(moves) {
        const {start} = this.given
        const base = this.steps.told(this.current.ply)
        if (moves.length === 0) {
            this.says.textContent = this.words.try_none.replace("{move}", base)
            this.steps.status.textContent = base
            return
        }
        const text = this._written({ply: this.current.ply, moves}).at(-1)
        const shown = numbered(start, this.current.ply + moves.length - 1, [text])
        this.steps.status.textContent = this.words.try_at.replace("{move}", shown)
        this.says.textContent = this.words.try_base.replace("{move}", base)
    }

    _draw() {
        const hadFocus = this.list.contains(document.activeElement)
        this.list.replaceChildren(...this.lines.map((line) => this._item(line)))
        if (hadFocus) {
            this.list.querySelector("[aria-current]")?.focus({preventScroll: true})
        }
    }

    _item(line) {
        const item = document.createElement("li")
        this._written(line).forEach((text, index) => {
            const at = half(this.given.start, line.ply + index)
            const number = at.white ? `${at.number}. ` : index === 0 ? `${at.number}… ` : ""
            const button = document.createElement("button")
            button.type = "button"
            button.textContent = number + text
            button.addEventListener("click", () => this.open(line, index + 1))
            if (line === this.current && index === this.cursor - 1) {
                button.setAttribute("aria-current", "true")
            }
            item.append(button, " ")
        })
        return item
    }

    _listen() {
        const deeds = {
            back: () => this.move(-1),
            forward: () => this.move(1),
            remove: () => this.remove(),
            read: () => {
                element("trying-read-says").textContent = this.read(element("trying-text").value)
            },
        }
        element("trying").addEventListener("click", (event) => {
            deeds[event.target.closest("[data-do]")?.dataset.do]?.()
        })
        this.list.addEventListener("keydown", (event) => {
            const by = {ArrowLeft: -1, ArrowRight: 1}[event.key]
            if (by) {
                event.preventDefault()
                this.move(by)
            }
        })
        element("trying-save")?.addEventListener("submit", (event) => this._fill(event))
    }

    // The page's form takes the whole line that is shown, to be kept by the server.
    _fill(event) {
        const {elements} = event.target
        const {current} = this
        if (current.moves.length === 0) {
            event.preventDefault()
            this.says.textContent = this.words.try_none.replace("{move}", this.steps.told(current.ply))
            return
        }
        elements.line.value = current.id || ""
        elements.ply.value = current.ply
        elements.moves.value = current.moves.join(" ")
    }
}
