// Runs the Kotlin sample of ClientSamples.md: java SampleKt URL KEY prints the tokens of two vehicles. Two threads ask for the
// first one's token at once; then it is asked for again before and after a sign-out.
fun main(arguments: Array<String>) {
    val (url, key) = arguments
    val tokens = VehicleTokens(url) { fresh -> if (fresh) key else "expired" }
    val ask = { id: String -> tokens.getToken(AuthTokenContext(id)) }
    val threads = java.util.concurrent.Executors.newFixedThreadPool(2)
    val requests = List(2) { threads.submit(java.util.concurrent.Callable { ask("vehicle-1") }) }
    threads.shutdown() // A request that fails must not keep the program running.
    val (first, same) = requests.map { it.get() }
    val other = ask("vehicle-2")
    val again = ask("vehicle-1")
    tokens.signOut()
    val anew = ask("vehicle-1")
    println(if (first == same && first == again && anew.isNotEmpty()) "$first\n$other" else "different tokens")
}
