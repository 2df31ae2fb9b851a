// The position or the game to take along: picture, FEN and PGN to the clipboard. The links beside
// the buttons do the same without script. The FEN is worked out when it is asked for; the link to
// other games with the position follows it.

import {element} from "./page.js"


export class Taking {
    constructor(given, words, loadRules) {
        this.given = given
        this.words = words
        this.loadRules = loadRules
        this.isFlipped = false
        this.shown = null
        this.workedOut = null
        this.says = element("taking-says")
        this.fen = element("fen")
        this.inWords = element("in-words")
        const panel = element("taking")
        panel.addEventListener("click", (event) => this._copy(event.target.dataset.copy))
        for (const details of [panel, this.inWords]) {
            details.addEventListener("toggle", () => this._drawFen())
        }
        this.panels = [panel, this.inWords]
        /** @type {any} */
        this.same = document.querySelector(".opening a[rel]")
        for (const kind of ["pointerenter", "focus"]) {
            this.same?.addEventListener(kind, () => this._workOut())
        }
        this.same?.addEventListener("click", (event) => this._goToSame(event))
    }

    // What the board shows: moves from the start of the game, the last of them tried ones.
    follow(played, tried) {
        this.shown = [...played, ...tried]
        const picture = element("picture")
        const url = new URL(picture.dataset.file, location.href)
        url.searchParams.set("ply", played.length)
        if (tried.length > 0) {
            url.searchParams.set("moves", tried.join(" "))
        }
        if (this.isFlipped) {
            url.searchParams.set("flip", "1")
        }
        picture.href = url
        this._drawFen()
    }

    async _drawFen() {
        if (this.panels.some((panel) => panel.open)) {
            await this._workOut()
        }
    }

    async _workOut() {
        const moves = this.shown
        if (moves && moves !== this.workedOut) {
            const rules = await this.loadRules()
            if (moves === this.shown) {
                // Not typed by anybody: the field's own value, not a change of it.
                this.fen.defaultValue = rules.fenAfter(this.given.start, moves)
                this.inWords.querySelector(".fen").textContent = `FEN: ${this.fen.value}`
                if (this.same) {
                    this.same.href = "/archive?position=" + encodeURIComponent(this.fen.value)
                }
                this.workedOut = moves
            }
        }
    }

    // A finger clicks at once: then the position is worked out first.
    async _goToSame(event) {
        const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
        if (this.workedOut !== this.shown && !isElsewhere) {
            event.preventDefault()
            await this._workOut()
            location.assign(this.same.href)
        }
    }

    async _copy(what) {
        if (!what) {
            return
        }
        await this._drawFen()
        try {
            if (what === "fen") {
                await navigator.clipboard.writeText(this.fen.value)
            } else if (what === "pgn") {
                await navigator.clipboard.writeText(await fetched("pgn", (answer) => answer.text()))
            } else {
                const blob = fetched("picture", (answer) => answer.blob())
                await navigator.clipboard.write([new ClipboardItem({"image/png": blob})])
            }
            const said = this.words[`copied_${what}`]
            this.says.textContent = said.replace("{text}", this.fen.value)
        } catch (error) {
            const isAway = error instanceof TypeError && navigator.clipboard
            this.says.textContent = isAway ? this.words.failed : this.words.not_copied
            if (what === "fen") {
                this.fen.select()
            }
        }
    }
}

async function fetched(id, read) {
    const answer = await fetch(element(id).href)
    if (!answer.ok) {
        throw new TypeError(answer.statusText)
    }
    return read(answer)
}
