// Stepping through a game: the links for it move the pieces in place, the move shown is said and
// marked in the list, and the address follows. Without this script the same links load the page.

import {ends, numbered, placings} from "./position.js"
import {element, say} from "./page.js"

export class Steps {
    constructor(table, given, words, signal) {
        this.table = table
        this.given = given
        this.words = words
        this.moves = given.line.split(" ").filter(Boolean)
        this.placings = placings(given.start, this.moves)
        this.played = Number(given.last)
        this.ply = Number(given.ply)
        // A page that shows the last move shows the accepted part of a series with it.
        if (this.ply === this.played) {
            this.ply = this.moves.length
        }
        this.followers = []
        this.line = null // the lines that are tried (trying.js), once somebody does
        this.list = document.getElementById("score")
        this.nav = element("steps")
        this.status = element("shown")
        this._listen(signal)
        this._draw()
    }

    get isNow() {
        return this.ply === this.moves.length
    }

    // The move that led to a position, as it is said: «12… Sf6 · Bent Bæk · 3/9 · 2 dage».
    told(ply) {
        if (ply === 0) {
            return this.words.start
        }
        const link = this._link(ply)
        if (!link) {
            return this.words.in_series
        }
        const line = numbered(this.given.start, ply - 1, [link.textContent])
        const name = line.includes("…") ? this.given.black : this.given.white
        const dates = link.parentElement?.querySelector(".dates")?.textContent.trim()
        return [line, name, dates, link.dataset.digits].filter(Boolean).join(" · ")
    }

    go(ply, animated = true) {
        this.ply = Math.max(0, Math.min(ply, this.moves.length))
        this.show(animated)
        this._draw()
        this._address()
        this.followers.forEach((follow) => follow(this.ply))
    }

    // Another part shows a position that comes from this one of the game: the links and the list
    // follow it.
    stand(ply) {
        if (Math.min(this.ply, this.played) !== ply) {
            this.ply = ply
            this._draw()
        }
    }

    // The game's own position again, after something else was on the board.
    show(animated = true) {
        say(this.status, this.told(this.ply))
        return this.table.show(this.placings[this.ply], ends(this.moves[this.ply - 1]), animated)
    }

    step(name) {
        if (this.line?.at) {
            this.line.step(name)
            return
        }
        const to = {first: 0, back: this.ply - 1, forward: this.ply + 1, last: this.moves.length}
        this.go(to[name])
    }

    _link(ply) {
        return this.list?.querySelector(`a[data-ply="${ply}"]`)
    }

    _listen(signal) {
        document.addEventListener("click", (event) => {
            const link = event.target?.closest?.("a[data-step], #score a[data-ply]")
            if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
                return
            }
            event.preventDefault()
            if (this.nav.contains(link)) {
                this.step(link.dataset.step)
            } else if (link.dataset.step) {
                this.go(this.moves.length)
            } else {
                this.go(Number(link.dataset.ply))
            }
        }, {signal})
        const keys = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last"}
        document.addEventListener("keydown", (event) => {
            const isHere = event.target === document.body || this.nav.contains(event.target)
                || this.list?.parentElement?.contains(event.target)
            if (isHere && keys[event.key] && !isChord(event)) {
                event.preventDefault()
                this.step(keys[event.key])
                if (this.list?.contains(document.activeElement)) {
                    this._link(this.ply)?.focus({preventScroll: true})
                }
            }
        }, {signal})
        this._listenOnBoard()
    }

    // On the board the arrows go from square to square, for who came by keyboard; after a click
    // on it they step, as in other programs. Page Up and Page Down always step.
    _listenOnBoard() {
        const {place} = this.table
        let isByPointer = false
        place.addEventListener("pointerdown", () => {
            isByPointer = true
        })
        place.addEventListener("focusout", () => {
            isByPointer = false
        })
        const always = {PageUp: "back", PageDown: "forward", Home: "first", End: "last"}
        const pointed = {ArrowLeft: "back", ArrowRight: "forward"}
        place.addEventListener("keydown", (event) => {
            const isDialog = this.table.board.isPromotionDialogShown()
            const name = always[event.key] || (isByPointer && pointed[event.key])
            if (isDialog || isChord(event)) {
                return
            }
            if (name) {
                event.preventDefault()
                event.stopPropagation()
                this.step(name)
            } else if (event.key.startsWith("Arrow") || event.key === "Enter" || event.key === " ") {
                isByPointer = false
            }
        }, true)
    }

    _draw() {
        for (const link of this.list?.querySelectorAll("a[data-ply]") || []) {
            const isShown = Number(link.dataset.ply) === this.ply
            link.toggleAttribute("aria-current", isShown)
            if (isShown) {
                link.setAttribute("aria-current", "true")
                if (this.isDrawn || !link.closest(".side")?.querySelector(":scope > .notice")) {
                    keepInSight(link) // what the page has to say is seen first
                }
            }
        }
        this.isDrawn = true
        this.drawNav()
        const isPast = this.ply < this.played
        document.getElementById("not-now")?.classList.toggle("unseen", !isPast)
        this.table.place.classList.toggle("past", isPast && this.given.base !== "")
    }

    // The buttons lead nowhere at the ends of the game, or of the line that is tried.
    drawNav() {
        const {isStart, isEnd} = this.line?.at || {isStart: this.ply === 0, isEnd: this.isNow}
        for (const link of this.nav.querySelectorAll("a[data-step]")) {
            const isDead = /first|back/.test(link.dataset.step) ? isStart : isEnd
            link.href ||= "#board"
            link.removeAttribute("role")
            link.setAttribute("aria-disabled", String(isDead))
        }
    }

    _address() {
        const url = new URL(location.href)
        if (this.given.base && url.pathname !== this.given.base) {
            return // the answer to a form: loading it again would not give this page
        }
        if (this.isNow) {
            url.searchParams.delete("ply")
        } else {
            url.searchParams.set("ply", this.ply)
        }
        url.hash = ""
        history.replaceState(history.state, "", url)
    }
}

const isChord = (event) => event.altKey || event.ctrlKey || event.metaKey || event.shiftKey

// Scroll the list, or on a phone the strip of moves, never the page.
function keepInSight(link) {
    const strip = link.closest(".scroll")
    if (strip.scrollWidth > strip.clientWidth) {
        const room = strip.getBoundingClientRect(), at = link.getBoundingClientRect()
        strip.scrollLeft += at.left + at.width / 2 - room.left - room.width / 2
        return
    }
    const frame = link.closest(".side") || link.closest(".scroll")
    const [inner, outer] = [link.getBoundingClientRect(), frame.getBoundingClientRect()]
    const covered = frame.querySelector("#tabs")?.offsetHeight || 0 // they stay while it rolls
    if (inner.top < outer.top + covered || inner.bottom > outer.bottom) {
        const under = strip.getBoundingClientRect().bottom - outer.bottom // no farther than its end
        frame.scrollTop += Math.min(inner.top - outer.top - outer.height / 2, under)
    }
}
