// The code that asks for the chosen token, by platform. ClientSamples.md has the complete clients.

const quoted = (text) => JSON.stringify(text);
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const FRESH = "get a fresh ID token, then ask once more";

/** Each makes code of `url`, the members `token` and `expiry` of the answer, and whether a caller's token is needed. */
export const PLATFORMS = {
  Swift: ({ url, token, expiry, isAuthenticated }) =>
    `struct Answer: Decodable { let ${token}: String, ${expiry.name}: Double }

${isAuthenticated ? "var" : "let"} request = URLRequest(url: URL(string: ${quoted(url)})!)
${isAuthenticated ? `request.setValue("Bearer \\(idToken)", forHTTPHeaderField: "Authorization")
` : ""}let (data, response) = try await URLSession.shared.data(for: request)
switch (response as? HTTPURLResponse)?.statusCode {
case 200: break
case 401: throw URLError(.userAuthenticationRequired)  // ${FRESH}
case 429, 503: throw URLError(.resourceUnavailable)  // wait as long as Retry-After says, then ask again
default: throw URLError(.badServerResponse)
}
let answer = try JSONDecoder().decode(Answer.self, from: data)
let refreshAt = ${{
  seconds: `Date(timeIntervalSince1970: answer.${expiry.name})`,
  milliseconds: `Date(timeIntervalSince1970: answer.${expiry.name} / 1000)`,
  left: `Date(timeIntervalSinceNow: answer.${expiry.name})`,
} [expiry.unit]}
// Keep answer.${token} until refreshAt, then ask again.`,

  Kotlin: ({ url, token, expiry, isAuthenticated }) => `val url = URL(${quoted(url).replaceAll("$", "\\$")})
val connection = url.openConnection() as HttpURLConnection
${isAuthenticated ? `connection.setRequestProperty("Authorization", "Bearer $idToken")
` : ""}when (val status = connection.responseCode) {
    200 -> {}
    401 -> throw IOException("${FRESH}")
    429, 503 -> throw IOException("ask again after " + connection.getHeaderField("Retry-After") + " s")
    else -> throw IOException("no token: $status")
}
val answer = JSONObject(connection.inputStream.bufferedReader().readText())
val token = answer.getString("${token}")
val refreshAt = ${{
  seconds: `answer.getLong("${expiry.name}") * 1000`,
  milliseconds: `answer.getLong("${expiry.name}")`,
  left: `System.currentTimeMillis() + answer.getLong("${expiry.name}") * 1000`,
} [expiry.unit]}
// Keep the token until refreshAt (System.currentTimeMillis), then ask again.`,

  TypeScript: ({ url, token, expiry, isAuthenticated }) => `const response = await fetch(${quoted(url)}${
isAuthenticated ? `, {
  headers: { Authorization: \`Bearer \${idToken}\` },
}` : ""});
if (response.status === 401) throw new Error("${FRESH}");
if (response.status === 429 || response.status === 503) {
  throw new Error("ask again after " + response.headers.get("Retry-After") + " s");
}
if (!response.ok) throw new Error("no token: " + (await response.json()).code);
const answer = await response.json();
const refreshAt = ${{
  seconds: `answer.${expiry.name} * 1000`,
  milliseconds: `answer.${expiry.name}`,
  left: `Date.now() + answer.${expiry.name} * 1000`,
} [expiry.unit]};
// Keep answer.${token} until refreshAt (Date.now), then ask again.`,

  Dart: ({ url, token, expiry, isAuthenticated }) => `final response = await http.get(Uri.parse(r'${url}')${
isAuthenticated ? `,
    headers: {'Authorization': 'Bearer $idToken'}` : ""});
switch (response.statusCode) {
  case 200:
    break;
  case 401:
    throw Exception('${FRESH}');
  case 429:
  case 503:
    throw Exception('ask again after \${response.headers['retry-after']} s');
  default:
    throw Exception('no token: \${response.statusCode}');
}
final answer = jsonDecode(response.body);
final refreshAt = ${{
  seconds: `DateTime.fromMillisecondsSinceEpoch(answer['${expiry.name}'] * 1000)`,
  milliseconds: `DateTime.fromMillisecondsSinceEpoch(answer['${expiry.name}'])`,
  left: `DateTime.now().add(Duration(seconds: answer['${expiry.name}']))`,
} [expiry.unit]};
// Keep answer['${token}'] until refreshAt, then ask again.`,

  "Objective-C": ({ url, token, expiry, isAuthenticated }) => `NSMutableURLRequest *request =
    [NSMutableURLRequest requestWithURL:[NSURL URLWithString:@${quoted(url)}]];
${isAuthenticated ? `[request setValue:[@"Bearer " stringByAppendingString:idToken] forHTTPHeaderField:@"Authorization"];
` : ""}[[NSURLSession.sharedSession dataTaskWithRequest:request
    completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
      NSInteger status = ((NSHTTPURLResponse *)response).statusCode;
      if (status == 401) return;  // ${FRESH}
      if (status == 429 || status == 503) return;  // wait as long as Retry-After says, then ask again
      if (data == nil || status != 200) return;
      NSDictionary *answer = [NSJSONSerialization JSONObjectWithData:data options:0 error:nil];
      NSString *token = answer[@"${token}"];
      NSTimeInterval refreshAt = ${{
  seconds: `[answer[@"${expiry.name}"] doubleValue]`,
  milliseconds: `[answer[@"${expiry.name}"] doubleValue] / 1000`,
  left: `NSDate.date.timeIntervalSince1970 + [answer[@"${expiry.name}"] doubleValue]`,
} [expiry.unit]};
      // Keep the token until refreshAt (seconds since 1970), then ask again.
    }] resume];`,

  curl: ({ url, isAuthenticated }) => `# After 429 and 503, --retry waits as long as Retry-After says.${
isAuthenticated ? `
# After 401, ${FRESH}.` : ""}
curl --fail-with-body --retry 3 ${isAuthenticated ? '-H "Authorization: Bearer $ID_TOKEN" ' : ""}${shell(url)}`,
};
