// What is kept of a game in this browser: the lines that were tried, and what was typed and not sent.
// Bounded, and never a reason to stop. It belongs to the reader it was kept for: his number stands
// in its name, and app.js removes it as soon as the browser is another's.

const MOST_GAMES = 40

const own = (kind) => `kskak:${document.getElementById("app").dataset.reader}:${kind}:`

// What is kept of a kind for a game; null: nothing.
export function recall(kind, key) {
    try {
        return JSON.parse(localStorage.getItem(own(kind) + key) || "null")
    } catch {
        return null
    }
}

// Keep it; null: keep nothing. The games looked at longest ago make room.
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
            const age = (name) => JSON.parse(localStorage.getItem(name))?.at || 0
            others.sort((a, b) => age(a) - age(b))
            others.slice(0, others.length - MOST_GAMES).forEach((name) => localStorage.removeItem(name))
        }
    } catch {
        // A browser that keeps nothing: it lives as long as the page.
    }
}
