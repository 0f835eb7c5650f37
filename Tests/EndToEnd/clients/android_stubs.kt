// What the Kotlin sample of ClientSamples.md uses of Android and of Google's SDK, and a program that runs the sample:
// java SampleKt URL KEY prints the token that two threads get at once.
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.util.concurrent.Callable
import java.util.concurrent.Executors

class AuthTokenContext(val vehicleId: String?)

interface AuthTokenFactory {
    fun getToken(context: AuthTokenContext): String
}

object Uri {
    fun encode(text: String?): String = URLEncoder.encode(text, "UTF-8")
}

class JSONObject(private val text: String) {
    fun getString(name: String): String = Regex("\"$name\":\"([^\"]*)\"").find(text)!!.groupValues[1]

    fun getLong(name: String): Long = Regex("\"$name\":([0-9]+)").find(text)!!.groupValues[1].toLong()
}

fun main(arguments: Array<String>) {
    val (url, key) = arguments
    val tokens = VehicleTokens(url) { fresh -> if (fresh) key else "expired" }
    val threads = Executors.newFixedThreadPool(2)
    val requests = List(2) { threads.submit(Callable { tokens.getToken(AuthTokenContext("vehicle-1")) }) }
    threads.shutdown() // A request that fails must not keep the program running.
    val (first, second) = requests.map { it.get() }
    println(if (first == second) first else "different tokens")
}

