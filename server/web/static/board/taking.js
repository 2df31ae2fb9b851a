// The position or the game to take along: picture, FEN and PGN to the clipboard. The links beside
// the buttons do the same without script. The FEN is worked out when it is asked for.

const element = (id) => document.getElementById(id)

export class Taking {
    constructor(given, words, loadRules) {
        Object.assign(this, {given, words, loadRules})
        this.shown = null
        this.says = element("taking-says")
        this.fen = element("fen")
        this.inWords = document.querySelector(".position-words")
        const panel = document.querySelector(".taking")
        panel.addEventListener("click", (event) => this._copy(event.target.dataset.copy))
        for (const details of [panel, this.inWords]) {
            details.addEventListener("toggle", () => this._drawFen())
        }
        this.panels = [panel, this.inWords]
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
        const moves = this.shown
        if (moves && this.panels.some((panel) => panel.open)) {
            const rules = await this.loadRules()
            if (moves === this.shown) {
                // Not typed by anybody: the field's own value, not a change of it.
                this.fen.defaultValue = rules.fenAfter(this.given.start, moves)
                this.inWords.querySelector(".fen").textContent = `FEN: ${this.fen.value}`
            }
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
