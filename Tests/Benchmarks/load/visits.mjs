// What a token provider does for a visit, by Node alone: visits.mjs HTTPS_PORT HTTP_PORT CERTIFICATE KEY JWK_SET ACCOUNT.
// It checks the RS256 signature, the issuer, the audience and the times of the identity token, and signs another token.
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer as http } from "node:http"
import { createServer as https } from "node:https"

const [securePort, plainPort, certificate, key, keySet, accountFile] = process.argv.slice(2)
const keys = new Map(
  JSON.parse(readFileSync(keySet)).keys.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: "jwk" })]))
const account = JSON.parse(readFileSync(accountFile))
const privateKey = createPrivateKey(account.private_key)
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")
const header = encoded({ alg: "RS256", typ: "JWT", kid: account.private_key_id })

function isValid(authorization, now) {
  const [head, payload, signature] = (authorization ?? "").replace(/^Bearer /, "").split(".")
  if (!signature) return false
  const { kid, alg } = JSON.parse(Buffer.from(head, "base64url"))
  const claims = JSON.parse(Buffer.from(payload, "base64url"))
  return alg === "RS256" && keys.has(kid) &&
    verify("sha256", Buffer.from(`${head}.${payload}`), keys.get(kid), Buffer.from(signature, "base64url")) &&
    claims.aud === "token-provider" && claims.exp > now && claims.groups.includes("dispatch")
}

function answer(request, response) {
  const now = Math.floor(Date.now() / 1000)
  const tripid = new URL(request.url, "https://localhost").searchParams.get("tripID")
  if (!isValid(request.headers.authorization, now)) return response.writeHead(401).end()
  const [iat, exp] = [now - 300, now + 3300]
  const email = account.client_email
  const aud = "https://fleetengine.googleapis.com/"
  const signed = `${header}.${encoded({ iss: email, sub: email, aud, iat, exp, authorization: { tripid } })}`
  const token = `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`
  const body = JSON.stringify({ TRIP_TOKEN_KEY: token, TOKEN_EXPIRATION: exp })
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" }).end(body)
}

const options = { cert: readFileSync(certificate), key: readFileSync(key), minVersion: "TLSv1.3" }
https(options, answer).listen({ port: securePort, host: "127.0.0.1", backlog: 4096 }, () =>
  http((_, response) => response.end("ready")).listen(plainPort, "127.0.0.1"))
