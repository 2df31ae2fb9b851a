// The archive's openings beside the board: fetched for the position that is shown, while their tab
// is; a move in the table is played on the board as one that is tried. Not for the table (opening_panel.py).

export class Book {
    constructor(place, given, words, rules, played) {
        this.place = place
        this.given = given
        this.words = words
        this.rules = rules
        this.shown = null
        place.addEventListener("click", (event) => {
            const uci = event.target.closest("[data-uci]")?.dataset.uci
            if (uci) {
                played(uci)
            }
        })
    }

    async follow(moves) {
        const fen = this.rules.fenAfter(this.given.start, moves)
        if (fen === this.shown) {
            return
        }
        this.shown = fen
        const base = this.given.base.split("?")[0]
        try {
            const answer = await fetch(`${base}/openings?position=${encodeURIComponent(fen)}`)
            const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html")
            if (fen !== this.shown) {
                return
            }
            if (!answer.ok) {
                throw new TypeError(answer.statusText)
            }
            this.place.replaceChildren(...page.head.children, ...page.body.children)
        } catch {
            this.shown = null
            this.place.textContent = this.words.failed
        }
    }
}
