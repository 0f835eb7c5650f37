// Runs the Kotlin sample of ClientSamples.md: java SampleKt URL KEY prints the token that two threads get at once.
fun main(arguments: Array<String>) {
    val (url, key) = arguments
    val tokens = VehicleTokens(url) { fresh -> if (fresh) key else "expired" }
    val threads = java.util.concurrent.Executors.newFixedThreadPool(2)
    val requests = List(2) { threads.submit(java.util.concurrent.Callable { tokens.getToken(AuthTokenContext("vehicle-1")) }) }
    threads.shutdown() // A request that fails must not keep the program running.
    val (first, second) = requests.map { it.get() }
    println(if (first == second) first else "different tokens")
}
