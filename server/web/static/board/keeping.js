// What is kept of a game in this browser: lines that were tried, and what was typed and not sent.
// Bounded, and never a reason to stop. It belongs to the reader it was kept for: his number stands
// in its name, and app.js removes it as soon as the browser is another's.

/** @typedef {{id?: string, ply: number, moves: string[]}} Line moves as UCI, after `ply` of the game */
const MOST_GAMES = 40
export const MOST_LINES = 20
export const MOST_MOVES = 120

/** @param {string} kind */
const own = (kind) => `kskak:${document.getElementById("app")?.dataset.reader}:${kind}:`

// What is kept of a kind for a game; null: nothing.
/** @param {string} kind @param {string} key @returns {any} */
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
            /** @param {string} name @returns {number} milliseconds since 1970 */
            const age = (name) => JSON.parse(localStorage.getItem(name) || "null")?.at || 0
            others.sort((a, b) => age(a) - age(b))
            others.slice(0, others.length - MOST_GAMES).forEach((name) => localStorage.removeItem(name))
        }
    } catch {
        // A browser that keeps nothing: it lives as long as the page.
    }
}

/** @param {string} uci */
const isMove = (uci) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(uci)
/** @param {any} line */
const isLine = (line) =>
    (line?.id === undefined || /^\d+$/.test(line.id))
    && Number.isInteger(line?.ply) && line.ply >= 0 && Array.isArray(line.moves)
    && line.moves.length <= MOST_MOVES
    && line.moves.every(isMove)

/** @param {string} key @returns {Line[]} */
export const load = (key) => (recall("lines", key)?.lines || []).filter(isLine).slice(0, MOST_LINES)

/** @param {string} key @param {Line[]} lines */
export function keep(key, lines) {
    const plain = lines.map(({id, ply, moves}) => ({id, ply, moves}))
    remember("lines", key, plain.length > 0 ? {lines: plain} : null)
}
