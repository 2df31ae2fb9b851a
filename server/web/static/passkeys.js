// Passkeys: asks the browser for the key and puts its answer into the form, which is then sent as
// any other. Without this script the server says what is needed; the mailed link needs none.

const octets = text =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), sign => sign.charCodeAt(0))

const written = buffer =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")

function named(keys) {
    return (keys || []).map(key => ({...key, id: octets(key.id)}))
}

async function made(given) {
    /** @type {any} what was asked for, or an error */
    const key = await navigator.credentials.create({
        publicKey: {
            ...given,
            challenge: octets(given.challenge),
            user: {...given.user, id: octets(given.user.id)},
            excludeCredentials: named(given.excludeCredentials),
        },
    })
    return answer(key, {
        attestationObject: written(key.response.attestationObject),
        transports: key.response.getTransports ? key.response.getTransports() : [],
    })
}

async function shown(given) {
    /** @type {any} */
    const key = await navigator.credentials.get({
        publicKey: {
            ...given,
            challenge: octets(given.challenge),
            allowCredentials: named(given.allowCredentials),
        },
    })
    const said = key.response
    return answer(key, {
        authenticatorData: written(said.authenticatorData),
        signature: written(said.signature),
        userHandle: said.userHandle ? written(said.userHandle) : undefined,
    })
}

function answer(key, response) {
    response.clientDataJSON = written(key.response.clientDataJSON)
    return JSON.stringify({id: key.id, rawId: written(key.rawId), type: key.type, response})
}

async function run(event) {
    const form = event.currentTarget
    const says = form.querySelector("[data-says]")
    event.preventDefault()
    says.textContent = ""
    try {
        const asked = await fetch(form.dataset.options, {method: "POST", body: new FormData(form)})
        if (asked.ok) {
            const ask = form.dataset.passkey === "make" ? made : shown
            form.elements.answer.value = await ask(await asked.json())
        }
        form.submit()
    } catch {
        says.textContent = form.dataset.fault
    }
}

if (window.PublicKeyCredential) {
    for (const form of document.querySelectorAll("form[data-passkey]")) {
        form.addEventListener("submit", run)
    }
}
