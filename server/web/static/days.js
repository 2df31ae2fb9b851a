// A game's calendar as one grid: one stop for the Tab key, arrow keys from day to day. Without this
// every day's words are there all the same, on hover and as a list. Not for what a day says.

const STEPS = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7}

// The same day of the next month there is, or its nearest.
function inMonth(cells, at, by) {
    const months = [...new Set(cells.map((cell) => cell.closest("tbody")))]
    const month = months[months.indexOf(cells[at].closest("tbody")) + by]
    if (!month) {
        return by < 0 ? 0 : cells.length - 1
    }
    const there = cells.filter((cell) => month.contains(cell))
    const far = (cell) => Math.abs(parseInt(cell.textContent) - parseInt(cells[at].textContent))
    return cells.indexOf(there.reduce((best, cell) => (far(cell) < far(best) ? cell : best)))
}

function target(cells, at, key) {
    if (key in STEPS) {
        return at + STEPS[key]
    }
    return {Home: () => 0, End: () => cells.length - 1, PageUp: () => inMonth(cells, at, -1), PageDown: () => inMonth(cells, at, 1)}[key]?.()
}

// The words name the day: its number and letter are for who sees, and not read out before them.
function quieten(cell) {
    const [number, letter] = [document.createElement("span"), cell.querySelector("b")]
    number.append(cell.firstChild)
    cell.prepend(number)
    for (const one of [number, letter].filter(Boolean)) {
        one.setAttribute("aria-hidden", "true")
    }
}

function walk(table) {
    const cells = [...table.querySelectorAll("tr:not([aria-hidden]) td")]
    if (cells.length === 0) {
        return
    }
    table.setAttribute("role", "grid")
    table.setAttribute("aria-readonly", "true")
    table.setAttribute("aria-description", table.dataset.keys)
    for (const row of table.rows) {
        row.setAttribute("role", "row")
    }
    for (const cell of cells) {
        quieten(cell)
        cell.setAttribute("role", "gridcell")
        cell.tabIndex = -1
    }
    let chosen = cells.at(-1)
    chosen.tabIndex = 0
    table.parentElement.classList.add("walked")
    table.addEventListener("focusin", (event) => {
        chosen.tabIndex = -1
        chosen = event.target.closest("td")
        chosen.tabIndex = 0
        table.classList.remove("shut")
    })
    table.addEventListener("pointerover", () => table.classList.remove("shut"))
    table.addEventListener("keydown", (event) => {
        const next = cells[target(cells, cells.indexOf(chosen), event.key)]
        if (event.altKey || event.ctrlKey || event.metaKey) {
            return
        }
        if (event.key === "Escape") {
            table.classList.add("shut")
        }
        if (event.key in STEPS || next) {
            event.preventDefault()
            next?.focus()
        }
    })
}

export function start() {
    document.querySelectorAll(".days").forEach(walk)
}

start()
