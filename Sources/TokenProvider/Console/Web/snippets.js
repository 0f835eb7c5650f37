// The code that asks for the chosen token, by platform. ClientSamples.md has the complete clients.

const quoted = (text) => JSON.stringify(text);
const at = (unit, forms) => forms[unit];
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export const PLATFORMS = {
  curl: ({ url }) => `curl -H "Authorization: Bearer $ID_TOKEN" ${shell(url)}`,

  Swift: ({ url, token, expiry }) => `struct Answer: Decodable { let ${token}: String, ${expiry.name}: Double }

var request = URLRequest(url: URL(string: ${quoted(url)})!)
request.setValue("Bearer \\(idToken)", forHTTPHeaderField: "Authorization")
let (data, _) = try await URLSession.shared.data(for: request)
let answer = try JSONDecoder().decode(Answer.self, from: data)
let refreshAt = ${at(expiry.unit, {
  seconds: `Date(timeIntervalSince1970: answer.${expiry.name})`,
  milliseconds: `Date(timeIntervalSince1970: answer.${expiry.name} / 1000)`,
  left: `Date(timeIntervalSinceNow: answer.${expiry.name})`,
})}
// Keep answer.${token} until refreshAt, then ask again.`,

  "Objective-C": ({ url, token, expiry }) => `NSMutableURLRequest *request =
    [NSMutableURLRequest requestWithURL:[NSURL URLWithString:@${quoted(url)}]];
[request setValue:[@"Bearer " stringByAppendingString:idToken] forHTTPHeaderField:@"Authorization"];
[[NSURLSession.sharedSession dataTaskWithRequest:request
    completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
      if (data == nil) return;
      NSDictionary *answer = [NSJSONSerialization JSONObjectWithData:data options:0 error:nil];
      NSString *token = answer[@"${token}"];
      NSTimeInterval refreshAt = ${at(expiry.unit, {
  seconds: `[answer[@"${expiry.name}"] doubleValue]`,
  milliseconds: `[answer[@"${expiry.name}"] doubleValue] / 1000`,
  left: `NSDate.date.timeIntervalSince1970 + [answer[@"${expiry.name}"] doubleValue]`,
})};
      // Keep the token until refreshAt (seconds since 1970), then ask again.
    }] resume];`,

  Kotlin: ({ url, token, expiry }) => `val url = URL(${quoted(url).replaceAll("$", "\\$")})
val connection = url.openConnection() as HttpURLConnection
connection.setRequestProperty("Authorization", "Bearer $idToken")
val answer = JSONObject(connection.inputStream.bufferedReader().readText())
val token = answer.getString("${token}")
val refreshAt = ${at(expiry.unit, {
  seconds: `answer.getLong("${expiry.name}") * 1000`,
  milliseconds: `answer.getLong("${expiry.name}")`,
  left: `System.currentTimeMillis() + answer.getLong("${expiry.name}") * 1000`,
})}
// Keep the token until refreshAt (System.currentTimeMillis), then ask again.`,

  JavaScript: ({ url, token, expiry }) => `const response = await fetch(${quoted(url)}, {
  headers: { Authorization: \`Bearer \${idToken}\` },
});
if (!response.ok) throw new Error((await response.json()).code);
const answer = await response.json();
const refreshAt = ${at(expiry.unit, {
  seconds: `answer.${expiry.name} * 1000`,
  milliseconds: `answer.${expiry.name}`,
  left: `Date.now() + answer.${expiry.name} * 1000`,
})};
// Keep answer.${token} until refreshAt (Date.now), then ask again.`,
};
