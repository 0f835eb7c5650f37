// What the Kotlin samples use of Android and of Google's SDK.
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.util.concurrent.ConcurrentHashMap

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
