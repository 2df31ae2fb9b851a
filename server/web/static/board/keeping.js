// What is kept of a game in this browser: the lines that were tried, and what was typed and not sent.
// Bounded, and never a reason to stop. It belongs to the reader it was kept for: his number stands
// in its name, and app.js removes it as soon as the browser is another's.

import {element} from "./page.js"

const MOST_GAMES = 40

/** @param {string} kind */
const own = (kind) => `kskak:${element("app").dataset.reader}:${kind}:`

// What is kept of a kind for a game; null: nothing.
/** @param {string} kind @param {string} key */
export function recall(kind, key) {
    try {
        return JSON.parse(localStorage.getItem(own(kind) + key) || "null")
    } catch {
        return null
    }
}

// Keep it; null: keep nothing. The games looked at longest ago make room.
/** @param {string} kind @param {string} key @param {object | null} value */
export function remember(kind, key, value) {
    try {
        const mine = own(kind)
        if (value === null) {
            localStorage.removeItem(mine + key)
            return
        }
        localStorage.setItem(mine + key, JSON.stringify({at: Date.now(), ...value}))
        const others = Object.keys(localStorage).filter((name) => name.startsWith(mine))
        if (others.length > MOST_GAMES) {
            /** @param {string} name */
            const age = (name) => JSON.parse(localStorage.getItem(name) || "null")?.at || 0
            others.sort((a, b) => age(a) - age(b))
            others.slice(0, others.length - MOST_GAMES).forEach((name) => localStorage.removeItem(name))
        }
    } catch {
        // A browser that keeps nothing: it lives as long as the page.
    }
}
