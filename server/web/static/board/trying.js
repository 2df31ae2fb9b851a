// Trying moves without sending them: a tree of variations from any position of the game, for both
// sides, with comments, signs, arrows and circles. It survives the page and the opponent's move
// (saving.js); of a player's, the server keeps it. Not for how it is listed (listing.js).

import {ends, numbered} from "./position.js"
import {offerEngine} from "./helping.js"
import {recall, remember} from "./keeping.js"
import {Listing} from "./listing.js"
import {Noting} from "./noting.js"
import {Saving} from "./saving.js"
import {attach, isNoted, pathOf, plyOf, written} from "./tree.js"
import {element, say} from "./page.js"

const STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
const MOST_PLIES = 400

export class Trying {
    /** @type {any} fetches what shows a chess engine's lines (later.js) */
    static engine

    constructor(table, steps, given, words, rules, signal) {
        this.table = table
        this.steps = steps
        this.given = given
        this.words = words
        this.rules = rules
        this.isOn = false
        this.root = rules.gameTree(given.start, steps.moves.slice(0, steps.played))
        this.game = [this.root, ...rules.mainLine(this.root)]
        this.at_ = this.game.at(-1)
        this.noting = new Noting(table, () => this._annotated(), signal)
        this.saving = new Saving(given.key, words, (text) => this._merge(text), signal)
        this.listing = new Listing(element("trying-lines"), this)
        /** @type {(line: string[]) => void} */
        this.proposed = () => {}
        this.followers = []
        this.stopped = () => {}
        /** @type {any} a node and its place, until another is removed */
        this.removed = null
        this.says = element("trying-says")
        this._begin()
        steps.line = this
        this._listen()
        offerEngine(this, Trying.engine)
    }

    // What is kept, and what an earlier version of this page kept in the browser.
    _begin() {
        for (const text of this.saving.begin()) {
            this._restore(text)
        }
        this.saving.text = this.text
        const {lines} = recall("lines", this.given.key) || {}
        for (const {ply, moves} of lines || []) {
            try {
                moves.reduce((node, uci) => this.rules.played(node, uci), this.game[ply])
            } catch {
                // A line of a position that is gone.
            }
        }
        remember("lines", this.given.key, null)
        if (this.saving.isDirty) {
            this.saving.send()
        }
        this.saving.changed(this.text)
    }

    _restore(text) {
        try {
            this.rules.restore(text, this.game)
        } catch {
            this._tell("tree_unread")
            this.saving.isBroken = true
        }
    }

    _merge(text) {
        this._restore(text)
        if (this.isOn) {
            this._drawn()
        }
        return this.text
    }

    get text() {
        this.game.forEach((node, ply) => this._gameFirst(node, this.game[ply + 1]))
        return written(this.root, this.given.start, this.given.start === STANDARD)
    }

    _gameFirst({children}, next) {
        if (next && children[0] !== next) {
            children.splice(children.indexOf(next), 1)
            children.unshift(next)
        }
    }

    start(moves = []) {
        this.isOn = true
        this.home = this.steps.ply
        this.table.listen({
            color: undefined,
            legal: () => this.rules.legal(this.at_.fen),
            played: (uci) => this.played(uci),
        })
        this.begin(this.steps.ply, moves)
    }

    // A position of the game. A series' plies lie beyond it, and are no part of the tree (§ 6.2.5).
    begin(ply, moves = []) {
        const base = Math.min(ply, this.steps.played)
        const ahead = this.steps.moves.slice(base, ply)
        let node = ahead.reduce((one, uci) =>
            one.children.find((child) => child.uci === uci) || this.rules.passing(one, uci), this.game[base])
        for (const uci of moves) {
            attach(node)
            node = this.rules.played(node, uci)
        }
        this.go(node)
    }

    // Stepping through the game while trying: that is where one comes back to.
    follow(ply) {
        this.home = ply
        this.begin(ply)
    }

    played(uci) {
        if (plyOf(this.at_) >= this.steps.played + MOST_PLIES) {
            this._tell("try_long")
            return
        }
        attach(this.at_)
        this.go(this.rules.played(this.at_, uci))
    }

    go(node) {
        this.noting.leave()
        this.at_ = node
        this._drawn()
    }

    _drawn() {
        const {ply, moves} = pathOf(this.at_)
        const last = moves.at(-1) || this.steps.moves[ply - 1]
        const [placing] = this.at_.fen.split(" ")
        this.table.show(placing, ends(last))
        this.steps.stand(ply)
        this._say(ply, moves)
        this.noting.show(this.at_)
        this.listing.draw()
        this.steps.drawNav()
        this.saving.changed(this.text)
        this.followers.forEach((follow) => follow(ply, moves, placing))
    }

    redraw() {
        this.noting.draw()
    }

    stop() {
        this.noting.stop()
        this.saving.flush()
        this.isOn = false
        this.steps.stand(this.home)
        this.steps.show()
        this.steps.drawNav()
        this.stopped()
    }

    // Whether a line is on the board, and where in it: the page's own steps go through it.
    get at() {
        const isLine = this.isOn && (!this.at_.isGame || this._next(this.at_))
        return isLine ? {isEnd: !this._forward(this.at_), isStart: this.at_ === this.root} : null
    }

    // The line that is gone on with from a position of the game: the one last looked at, and from
    // its last position the first.
    _next(node) {
        const isThere = node === this.line?.parent && node.children.includes(this.line)
        return isThere ? this.line : node === this.game.at(-1) ? node.children[0] : null
    }

    _forward(node) {
        return this._next(node) || node.children[0]
    }

    // A step of the page's buttons and keys. From a line's beginning they go back into the game; at
    // its end they stay.
    step(name) {
        let node = this.at_
        if (name === "back" || name === "forward") {
            node = name === "back" ? node.parent : this._forward(node)
        } else if (name === "first") {
            const base = this.game[pathOf(node).ply]
            node = node === base ? this.root : base
        } else {
            for (let next = node; next; next = this._forward(next)) {
                node = next
            }
        }
        if (node?.isGame && this.at_.isGame) {
            this.steps.go(plyOf(node))
        } else if (node) {
            this._stay()
            this.go(node)
        }
    }

    // Which line is left for its beginning, so that forward leads into it again.
    _stay() {
        let line = this.at_
        while (!line.isGame && !line.parent.isGame) {
            line = line.parent
        }
        if (!line.isGame) {
            this.line = line
        }
    }

    // Among the moves that were tried instead of the one shown.
    sibling(by) {
        const all = (this.at_.parent?.children || []).filter((node) => !node.isGame)
        const next = all[all.indexOf(this.at_) + by]
        if (next) {
            this.go(next)
        }
    }

    // The branch that the move shown belongs to goes before the others.
    promote() {
        let node = this.at_
        const first = (one) => one.parent.children.filter((child) => !child.isGame)[0]
        while (!node.isGame && first(node) === node) {
            node = node.parent
        }
        if (node.isGame) {
            this._tell("tree_first")
            return
        }
        const {children} = node.parent
        children.splice(children.indexOf(node), 1)
        children.splice(children.findIndex((one) => !one.isGame), 0, node)
        this._drawn()
        this._tell("tree_promoted")
    }

    remove() {
        const node = this.at_
        if (node.isGame) {
            this._tell("tree_game")
            return
        }
        const {children} = node.parent
        this.removed = {node, index: children.indexOf(node)}
        if (this.removed.index >= 0) {
            children.splice(this.removed.index, 1)
        }
        this.at_ = node.parent
        this._drawn()
        element("tree-undo").hidden = false
        element("tree-undo").focus()
        this._tell("try_removed")
    }

    undo() {
        const {node, index} = this.removed
        const {children} = node.parent
        if (!children.some((one) => one.uci === node.uci)) {
            children.splice(Math.max(0, index), 0, node)
        }
        element("tree-undo").hidden = true
        this.go(node)
        this.listing.focus()
    }

    plan() {
        const node = this.at_
        const color = node.parent?.fen.split(" ")[1]
        if (node.isGame || (this.given.mine || color)[0] !== color) {
            this._tell("tree_no_plan")
            return
        }
        const isPlan = !node.isPlan
        node.parent.children.forEach((one) => {
            one.isPlan = false
        })
        node.isPlan = isPlan
        attach(node)
        this._drawn()
        this._tell(isPlan ? "tree_plan" : "tree_plan_off")
    }

    // The line shown, from the position now, goes to where a series is built (§ 6.2.5).
    propose() {
        const {ply, moves} = pathOf(this.at_)
        if (ply !== this.steps.moves.length || moves.length < 3) {
            this._tell("tree_no_series")
            return
        }
        this.proposed(moves)
    }

    read(text) {
        if (!text.trim()) {
            return this.words.read_empty
        }
        let found
        try {
            found = this.rules.read(text, this.game)
        } catch (error) {
            return this.words.read_bad.replace("{move}", /** @type {Error} */ (error).message)
        }
        if (!found) {
            return this.words.read_other
        }
        const {node, isNew} = found
        const base = this.steps.told(pathOf(node).ply)
        const isPosition = !/\d\s*\./.test(text)
        this.go(isNew ? this.rules.mainLine(node).at(-1) || node : node)
        const said = isNew ? "read_pgn" : isPosition ? "read_fen" : "read_same"
        return this.words[said].replace("{move}", base)
    }

    // A node's move as the reader has chosen to see moves.
    told(node) {
        node.told ||= this.rules.written(node.parent.fen, [node.uci], this.given)[0]
        return node.told
    }

    _tell(key) {
        this.says.ariaLive = "polite"
        this.says.textContent = this.words[key]
    }

    _say(ply, moves) {
        const base = this.steps.told(ply)
        if (moves.length === 0) {
            this.says.ariaLive = "polite"
            say(this.says, this.words.try_none.replace("{move}", base))
            say(this.steps.status, base)
            return
        }
        const shown = numbered(this.given.start, ply + moves.length - 1, [this.told(this.at_)])
        say(this.steps.status, this.words.try_at.replace("{move}", shown))
        this.says.ariaLive = "off" // it was heard as trying began
        say(this.says, this.words.try_base.replace("{move}", base))
    }

    _annotated() {
        if (isNoted(this.at_)) {
            attach(this.at_)
        }
        this.listing.draw()
        this.saving.changed(this.text)
    }

    _listen() {
        const deeds = {
            back: () => this.step("back"),
            forward: () => this.step("forward"),
            promote: () => this.promote(),
            remove: () => this.remove(),
            undo: () => this.undo(),
            plan: () => this.plan(),
            propose: () => this.propose(),
            draw: () => this.noting.turnDrawing(),
            read: () => {
                element("trying-read-says").textContent = this.read(element("trying-text").value)
            },
        }
        element("trying").addEventListener("click", (event) => {
            deeds[event.target.closest("[data-do]")?.dataset.do]?.()
        })
    }
}
