import HTTPClient
import StrictJSON

/// A signed request that only this AWS identity can make, and that Google's STS sends to AWS to learn the identity
/// (AIP-4117).
enum AWSSubjectToken {
    /// The signed GetCallerIdentity request at the verification URL, with `{region}` in it, as JSON, percent-encoded once.
    /// The audience is signed too, so that the request is of no use elsewhere. `now` is in seconds since the epoch.
    static func make(
        _ credentials: AWSSecurityCredentials, region: String, verificationURL: String, audience: String, at now: Int64
    ) throws(AccessTokenError) -> Secret {
        let url = try url(verificationURL, region)
        // sts.us-east-2.amazonaws.com and sts-fips.us-east-2.amazonaws.com are the service sts.
        let label = String(url.host.prefix { $0 != "." })
        let service = label.hasSuffix("-fips") ? String(label.dropLast(5)) : label
        let signature = AWSSignature(credentials: credentials, region: region, service: service, time: now)
        let fields: [(name: String, value: String)]
        do { fields = try signature.fields(signing: "POST", url, [("x-goog-cloud-target-resource", audience)]) } catch {
            throw AccessTokenError("the request to \(url.endpoint) could not be signed: \(error.sentence)")
        }
        // Google's clients leave slashes as they are.
        return Secret(PercentEncoding.encode(json(url, fields), keeping: "/"))
    }

    private static func url(_ template: String, _ region: String) throws(AccessTokenError) -> OutgoingURL {
        let parts = template.split(separator: "{region}", omittingEmptySubsequences: false)
        do { return try OutgoingURL(parts.joined(separator: region)) } catch {
            throw AccessTokenError(
                "regional_cred_verification_url \(error.problem) with the region \(region) in it; expected an https URL"
            )
        }
    }

    private static func json(_ url: OutgoingURL, _ fields: [(name: String, value: String)]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("headers")
            json.array { json in
                for field in fields {
                    json.object { json in
                        json.member("key", field.name)
                        json.member("value", field.value)
                    }
                }
            }
            json.member("method", "POST")
            json.member("url", url.text)
        }
        return json.bytes
    }
}
