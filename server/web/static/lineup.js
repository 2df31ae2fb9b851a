// A line-up put in order: each board gets two buttons, and can be dragged onto another. What moves
// is what the fields say; without this they are chosen board by board. Not for what is allowed.

const fieldsOf = (board) => [...board.querySelectorAll("select, input")]

// What stands in the fields of one board goes to another, and those between move up or down.
function move(boards, from, to) {
    const said = boards.map((board) => fieldsOf(board).map((field) => field.value))
    said.splice(to, 0, ...said.splice(from, 1))
    boards.forEach((board, place) => {
        fieldsOf(board).forEach((field, number) => {
            field.value = said[place][number]
        })
    })
}

function button(text, sign) {
    const made = document.createElement("button")
    made.type = "button"
    made.className = "plain-button"
    made.textContent = sign
    made.setAttribute("aria-label", text)
    made.title = text
    return made
}

function begin(lineup) {
    const boards = [...lineup.querySelectorAll("fieldset")]
    const says = document.createElement("p")
    says.className = "hint"
    says.setAttribute("role", "status")
    lineup.append(says)
    const put = (from, to) => {
        move(boards, from, to)
        const [player] = fieldsOf(boards[to])
        const name = player.selectedOptions[0].textContent
        says.textContent = lineup.dataset.moved.replace("{name}", name).replace("{board}", to + 1)
    }
    boards.forEach((board, place) => {
        const legend = board.querySelector("legend")
        for (const [step, sign, text] of [[-1, "↑", lineup.dataset.up], [1, "↓", lineup.dataset.down]]) {
            if (!boards[place + step]) {
                continue
            }
            const made = button(text, sign)
            made.dataset.step = step
            made.addEventListener("click", () => {
                put(place, place + step)
                const there = boards[place + step]
                const next = there.querySelector(`[data-step="${step}"]`) ?? there.querySelector("[data-step]")
                next.focus()
            })
            legend.append(" ", made)
        }
        legend.draggable = true
        legend.addEventListener("dragstart", (event) => {
            event.dataTransfer.setData("text/plain", place)
            event.dataTransfer.effectAllowed = "move"
        })
        board.addEventListener("dragover", (event) => event.preventDefault())
        board.addEventListener("drop", (event) => {
            event.preventDefault()
            const from = Number(event.dataTransfer.getData("text/plain"))
            if (boards[from] && from !== place) {
                put(from, place)
            }
        })
    })
}

document.querySelectorAll(".lineup").forEach(begin)
