// What was typed on a game's page and not sent: kept for its reader, its game and its position, so
// that a reload or a step back from the preview loses nothing. What the server has put into the
// fields, or what was typed there already, goes before it. Not for what is said of it (playing.js).

import {recall, remember} from "./keeping.js"

const KIND = "draft"

export class Draft {
    constructor(given, form) {
        this.given = given
        this.fields = form.elements
        this.line = given.line.split(" ").slice(0, Number(given.last)).join(" ")
    }

    // Fill the form with what is kept for it; while an own offer stands it has no box for a draw.
    restore() {
        const {text, message, draw = {}} = this.fields
        const {key, prefix} = this.given
        const kept = recall(KIND, key)
        // The player's own plan is no draft, and goes after one.
        const isFilled = !text.dataset.plan && text.defaultValue.trim() !== prefix.trim()
        if (isFilled || message.defaultValue || draw.defaultChecked || !kept) {
            return
        }
        // A move that waits to be sent is no draft any more.
        const isHeld = kept.isShown && document.querySelector("#delayed:not(.wrong)")
        if (kept.line !== this.line || isHeld) {
            forget(key)
            return
        }
        if (kept.prefix === prefix && text.value === text.defaultValue) {
            text.value = kept.text
        }
        message.value ||= kept.message
        draw.checked ||= kept.draw
    }

    // `isShown`: it goes to the preview, from where it may be sent.
    keep(isShown = false) {
        const {text, message, draw = {}} = this.fields
        const {key, prefix} = this.given
        const isUntouched = [prefix.trim(), text.dataset.plan].includes(text.value.trim())
        const isEmpty = isUntouched && !message.value && !draw.checked
        remember(KIND, key, isEmpty ? null : {
            line: this.line, prefix, isShown,
            text: text.value, message: message.value, draw: draw.checked,
        })
    }
}

// The game's page has no form: the move was made.
export const forget = (key) => remember(KIND, key, null)
