// Keeping a tree: at once in this browser, soon after on the server, which knows by a number which
// edit a text began from. Without a connection it waits in the browser; two devices' texts are laid
// over each other. Not for what is in the tree (tree.js).

import {recall, remember} from "./keeping.js"
import {element, say} from "./page.js"

const WAIT = 1200

export class Saving {
    // `merge(text)` lays a text over the tree and answers the new whole.
    constructor(key, words, merge, signal) {
        this.key = key
        this.words = words
        this.merge = merge
        /** @type {any} */
        this.form = document.getElementById("tree-form")
        this.says = element("tree-state")
        this.timer = 0
        this.stamp = Number(this.form?.elements.stamp.value || 0)
        this.text = ""
        this.isDirty = false
        this.isBroken = false
        addEventListener("online", () => this.isDirty && this.send(), {signal})
        addEventListener("pagehide", () => this.flush(), {signal})
        document.addEventListener("visibilitychange", () => document.hidden && this.flush(), {signal})
    }

    // The texts to begin from: the server's and the browser's, where they differ.
    begin() {
        const server = this.form?.elements.tree.defaultValue || ""
        const kept = recall("tree", this.key)
        if (!kept) {
            return [server]
        }
        this.isDirty = kept.isDirty && Boolean(this.form)
        if (kept.stamp > this.stamp || (kept.isDirty && kept.stamp === this.stamp) || !this.form) {
            this.stamp = Math.max(kept.stamp, this.stamp)
            return [kept.text]
        }
        return kept.isDirty ? [server, kept.text] : [server]
    }

    changed(text) {
        if (this.isBroken) {
            this._say("tree_unread") // what is kept can't be read, and is not written over
            return
        }
        if (text === this.text) {
            return
        }
        this.text = text
        this.isDirty = Boolean(this.form)
        this._remember()
        if (this.form) {
            this._say("tree_saving")
            clearTimeout(this.timer)
            this.timer = setTimeout(() => this.send(), WAIT)
        } else {
            this._say("tree_here")
        }
    }

    flush() {
        if (this.isDirty && this.timer) {
            this.send(true)
        }
    }

    async send(isLast = false) {
        clearTimeout(this.timer)
        this.timer = 0
        if (this.isBroken) {
            return
        }
        if (this.isSending) {
            this.isWanted = true
            return
        }
        this.isSending = true
        const sent = this.text
        try {
            const answer = await this._post(sent, isLast)
            const given = await answer.json()
            if (answer.ok) {
                this._saved(given, sent)
            } else if (answer.status === 409) {
                this.stamp = given.stamp
                this.text = this.merge(given.text)
                this.isWanted = !this.isBroken && this.text !== given.text
                this.isMerged = true
            } else {
                say(this.says, given.said || this.words.tree_failed)
            }
        } catch {
            this._say(navigator.onLine ? "tree_failed" : "tree_offline")
        } finally {
            this.isSending = false
        }
        this._remember()
        if (this.isWanted) {
            this.isWanted = false
            await this.send(isLast)
        }
    }

    _post(text, isLast) {
        const body = new URLSearchParams(/** @type {any} */ (new FormData(this.form)))
        body.set("tree", text)
        body.set("stamp", String(this.stamp))
        return fetch(this.form.action, {
            method: "POST", body, headers: {Accept: "application/json"}, keepalive: isLast && text.length < 30_000,
        })
    }

    _saved({stamp, text}, sent) {
        this.stamp = stamp
        if (this.text === sent) {
            this.isDirty = false
            this._say(this.isMerged ? "tree_merged" : "tree_saved")
            this.isMerged = false
        } else {
            this.isWanted = true
        }
        // What somebody writes in the text's own field stays, with the edit that it began from.
        const {elements} = this.form
        if (elements.tree.value === elements.tree.defaultValue) {
            elements.stamp.value = stamp
            elements.tree.value = elements.tree.defaultValue = text
        }
    }

    // That all is well is there to be read, and is not read out at every move.
    _say(key) {
        this.says.ariaLive = /saving|saved/.test(key) ? "off" : "polite"
        say(this.says, this.words[key])
    }

    _remember() {
        const {text, stamp, isDirty, isBroken} = this
        if (isBroken) {
            return
        }
        remember("tree", this.key, text || stamp || isDirty ? {text, stamp, isDirty} : null)
    }
}
