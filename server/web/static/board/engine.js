// A chess engine in a worker of the reader's own browser: it thinks about the position that he
// tries, and its lines stand in his own panel, with words for who hears them. Nothing of it is
// sent or kept. Not for its switch (helping.js), nor for reading UCI (uci.js).

import {element, say} from "./page.js"
import {numbered} from "./position.js"
import {figure, lineOf, nagOf} from "./uci.js"

const LINES = 3, PLIES = 8, DRAW_MS = 300
const THINK = "go depth 24 movetime 12000"

export class Engine {
    constructor(script, trying, words) {
        this.script = script
        this.trying = trying
        this.words = words
        this.fen = ""
        this.thinking = "" // the position that it thinks about; "": it rests
        this.lines = []
        this.says = element("engine-says")
        this.list = element("engine-lines")
        this.list.addEventListener("click", (event) => {
            const {uci} = event.target.dataset
            if (uci) {
                trying.played(uci)
            }
        })
        document.addEventListener("visibilitychange", () => document.hidden && this._tell("stop"))
    }

    // Think about a position, and no longer about the one before.
    show(fen) {
        if (fen === this.fen) {
            return
        }
        this.fen = fen
        this.list.hidden = true
        if (!this.worker) {
            this._start()
        } else if (this.thinking) {
            this._tell("stop")
        } else if (this.isReady) {
            this._think()
        }
    }

    stop() {
        this.worker?.terminate()
        this.worker = null
        this.isReady = false
        this.fen = this.thinking = ""
        this.list.hidden = true
        this._say("")
    }

    _start() {
        this._say(this.words.starting)
        this.worker = new Worker(this.script)
        this.worker.addEventListener("message", ({data}) => this._heard(String(data)))
        this.worker.addEventListener("error", () => {
            this.stop()
            this._say(this.words.failed, true)
        })
        this._tell("uci")
    }

    _tell(text) {
        this.worker?.postMessage(text)
    }

    _heard(text) {
        if (text === "uciok") {
            this._tell(`setoption name MultiPV value ${LINES}`)
            this._tell("isready")
        } else if (text === "readyok") {
            this.isReady = true
            this._think()
        } else if (text.startsWith("bestmove")) {
            this._rested()
        } else if (this.thinking === this.fen) {
            const line = lineOf(text, this.fen)
            if (line) {
                this.lines[line.place - 1] = line
                this.timer ||= setTimeout(() => this._draw(), DRAW_MS)
            }
        }
    }

    _think() {
        this.lines = []
        if (this.trying.rules.legal(this.fen).length === 0) {
            this._say(this.words.over, true)
            return
        }
        this._say(this.words.thinking)
        this.thinking = this.fen
        this._tell(`position fen ${this.fen}`)
        this._tell(THINK)
    }

    _rested() {
        const isWanted = this.thinking === this.fen
        this.thinking = ""
        if (!isWanted) {
            this._think()
            return
        }
        this._draw()
        const [best] = this.lines
        if (best) {
            const move = numbered(this.fen, 0, this._written(best.moves.slice(0, 1)))
            const text = this.words.best.replace("{move}", move).replace("{value}", this._worth(best))
            this._say(text.replace("{depth}", best.depth), true)
        }
    }

    // Only what it ends with is read out; lines are there to be looked up meanwhile.
    _say(text, isHeard = false) {
        this.says.ariaLive = isHeard ? "polite" : "off"
        say(this.says, text)
    }

    _written(moves) {
        return this.trying.rules.written(this.fen, moves, this.trying.given)
    }

    _worth(line) {
        const {mate} = line
        if (mate) {
            return this.words[mate > 0 ? "mate_white" : "mate_black"].replace("{n}", Math.abs(mate))
        }
        const option = element("tree-value").querySelector(`[value="${nagOf(line)}"]`)
        return option.textContent.replace(/^\S+ /, "")
    }

    _draw() {
        clearTimeout(this.timer)
        this.timer = 0
        const lines = this.thinking && this.thinking !== this.fen ? [] : this.lines.filter(Boolean)
        this.list.hidden = lines.length === 0
        lines.forEach((line, index) => this._drawLine(this._item(index), line))
        while (this.list.children.length > lines.length) {
            this.list.lastElementChild.remove()
        }
    }

    // The same elements while it thinks: who stands on one is not moved.
    _item(index) {
        if (!this.list.children[index]) {
            const item = document.createElement("li"), worth = document.createElement("b")
            const heard = document.createElement("span"), move = document.createElement("button")
            worth.setAttribute("aria-hidden", "true")
            heard.className = "hidden-words"
            move.type = "button"
            move.className = "plain-button"
            item.append(worth, heard, move, document.createElement("span"))
            this.list.append(item)
        }
        return this.list.children[index]
    }

    _drawLine(item, line) {
        const [worth, heard, move, rest] = item.children
        const texts = this._written(line.moves.slice(0, PLIES))
        const first = numbered(this.fen, 0, texts.slice(0, 1))
        say(worth, figure(line, this.trying.given.lang))
        say(heard, ` ${this._worth(line)}: `)
        say(move, first)
        move.dataset.uci = line.moves[0]
        say(rest, numbered(this.fen, 0, texts).slice(first.length))
    }
}
