// The tree of variations as a list: each line with its moves, those that depart from it in lists
// inside it, so that a screen reader tells how deep one is. One stop of the Tab key; arrows lead on.

import {half} from "./position.js"
import {SIGNS, VALUES, isNoted, plyOf} from "./tree.js"

export class Listing {
    constructor(list, trying) {
        this.list = list
        this.trying = trying
        const keys = {
            ArrowLeft: () => trying.step("back"),
            ArrowRight: () => trying.step("forward"),
            Home: () => trying.step("first"),
            End: () => trying.step("last"),
            ArrowUp: () => trying.sibling(-1),
            ArrowDown: () => trying.sibling(1),
            Delete: () => trying.remove(),
        }
        list.addEventListener("keydown", (event) => {
            const isChord = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
            if (keys[event.key] && !isChord) {
                event.preventDefault()
                event.stopPropagation()
                keys[event.key]()
            }
        })
    }

    draw() {
        const hadFocus = this.list.contains(document.activeElement)
        this.current = null
        this.list.replaceChildren(...this._departures())
        const stop = this.current || this.list.querySelector("button")
        if (stop) {
            stop.tabIndex = 0
        }
        if (hadFocus) {
            this.focus()
        }
    }

    focus() {
        (this.current || this.list.querySelector("button"))?.focus({preventScroll: true})
        this.current?.scrollIntoView({block: "nearest"})
    }

    // What is said of the game's own moves, and the lines that leave it, the latest first.
    _departures() {
        const {game} = this.trying
        return [...game].reverse().flatMap((node) => {
            const lines = node.children.filter((child) => !child.isGame).map((child) => this._line(child))
            return isNoted(node) ? [...lines, this._own(node)] : lines
        })
    }

    _own(node) {
        const item = document.createElement("li")
        item.className = "of-game"
        if (node.parent) {
            item.append(this._button(node, true), " ")
        }
        item.append(...this._said(node))
        return item
    }

    _line(first) {
        const item = document.createElement("li")
        let node = first, isNumbered = true
        while (node) {
            item.append(this._button(node, isNumbered), " ", ...this._said(node))
            const others = node === first ? [] : node.parent.children.slice(1)
            isNumbered = Boolean(node.comment) || others.length > 0
            if (others.length > 0) {
                const inner = document.createElement("ol")
                inner.append(...others.map((other) => this._line(other)))
                item.append(inner)
            }
            [node] = node.children
        }
        return item
    }

    _button(node, isNumbered) {
        const {trying} = this
        const at = half(trying.given.start, plyOf(node) - 1)
        const number = at.white ? `${at.number}. ` : isNumbered ? `${at.number}… ` : ""
        const button = document.createElement("button")
        button.type = "button"
        button.tabIndex = -1
        button.append(number + trying.told(node))
        for (const nag of node.nags) {
            button.append(...this._sign(nag))
        }
        if (node.isPlan) {
            button.append(...pair(" ⚑", ` ${trying.words.tree_planned}`))
        }
        button.addEventListener("click", () => trying.go(node))
        if (node === trying.at_) {
            button.setAttribute("aria-current", "true")
            this.current = button
        }
        return button
    }

    _sign(nag) {
        const option = document.querySelector(`#trying option[value="${nag}"]`)
        const shown = SIGNS[nag] || VALUES[nag] || `$${nag}`
        const name = option?.textContent.slice(shown.length + 1)
        return pair(nag in SIGNS ? shown : ` ${shown}`, name ? ` ${name}` : "")
    }

    _said({comment}) {
        const text = document.createElement("span")
        text.className = "said"
        text.textContent = comment
        return comment ? [text, " "] : []
    }
}

// A sign for who sees, words for who hears.
function pair(sign, name) {
    const [shown, heard] = [document.createElement("span"), document.createElement("span")]
    shown.setAttribute("aria-hidden", String(name !== ""))
    shown.textContent = sign
    heard.className = "hidden-words"
    heard.textContent = name
    return name ? [shown, heard] : [shown]
}
