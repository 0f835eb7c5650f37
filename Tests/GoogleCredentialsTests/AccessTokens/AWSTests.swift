import TestSupport
import Testing

@testable import GoogleCredentials
@testable import HTTPClient

/// Signatures are compared with AWS's published test suite and with those of botocore and google-auth.
struct AWSTests {
    private static let key = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    private static let keys = AWSSecurityCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: key, sessionToken: nil)
    private static let temporary = AWSSecurityCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: key, sessionToken: Secret("SESSION+TOKEN/=="))
    /// 2020-08-11T06:55:22Z.
    private static let time: Int64 = 1_597_128_922

    @Test(arguments: [
        ("GET", "", "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("POST", "/", "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        (
            "GET", "/?Param2=value2&Param1=value1", "",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        (
            "GET",
            "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz="
                + "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "",
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        ("POST", "/", "value1", "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        (
            "GET", "?Param1=a%2Fb%20c&Param1=a&p", "",
            "d94d2b4e3df49179868a97136b811eff53fd86401d39a2b04f13072890edcf21"
        ),
    ])
    func `requests of AWS's test suite have the published signatures`(
        method: String, target: String, header: String, signature: String
    ) throws {
        let signer = AWSSignature(credentials: Self.keys, region: "us-east-1", service: "service", time: 1_440_938_160)
        let fields = try signer.fields(
            signing: method, OutgoingURL("https://example.amazonaws.com\(target)"),
            header.isEmpty ? [] : [("my-header1", header)])
        let names = header.isEmpty ? "host;x-amz-date" : "host;my-header1;x-amz-date"
        #expect(
            fields[0].value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(names), Signature=\(signature)")
    }

    private func subject(_ credentials: AWSSecurityCredentials, host: String) throws -> String {
        try AWSSubjectToken.make(
            credentials, region: "us-east-2",
            verificationURL: "https://\(host).{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
            audience: TestFile.audience, at: Self.time
        ).value
    }

    private func token(_ names: String, _ signature: String, _ session: String, host: String) -> String {
        let header = { (name: String, value: String) in
            "%7B%22key%22%3A%22\(name)%22%2C%22value%22%3A%22\(value)%22%7D"
        }
        let authorization =
            "AWS4-HMAC-SHA256%20Credential%3DAKIDEXAMPLE/20200811/us-east-2/sts/aws4_request%2C%20SignedHeaders%3D\(names)"
            + "%2C%20Signature%3D\(signature)"
        let headers = [
            header("Authorization", authorization), header("host", "\(host).us-east-2.amazonaws.com"),
            header("x-amz-date", "20200811T065522Z"), session,
            header("x-goog-cloud-target-resource", TestFile.audience),
        ]
        return "%7B%22headers%22%3A%5B\(headers.filter { !$0.isEmpty }.joined(separator: "%2C"))%5D%2C"
            + "%22method%22%3A%22POST%22%2C%22url%22%3A%22https%3A//\(host).us-east-2.amazonaws.com"
            + "%3FAction%3DGetCallerIdentity%26Version%3D2011-06-15%22%7D"
    }

    @Test(arguments: [
        ("sts", "781583bcd8481c1e99056237576dceabececd253dd3ec1c9795da20806570c32"),
        ("sts-fips", "a61a779709b656f053e10ce52527a1b9f6899d62c3bb28c0b65221063aec8933"),
    ])
    func `a subject token has the bytes of google-auth's`(host: String, signature: String) throws {
        let names = "host%3Bx-amz-date%3Bx-goog-cloud-target-resource"
        #expect(try subject(Self.keys, host: host) == token(names, signature, "", host: host))
    }

    @Test func `a session token is signed too`() throws {
        let expected = token(
            "host%3Bx-amz-date%3Bx-amz-security-token%3Bx-goog-cloud-target-resource",
            "5755a6c891896cf83dc2e4bb1e0f70ef462b464fa03890cb70057bffda38de43",
            "%7B%22key%22%3A%22x-amz-security-token%22%2C%22value%22%3A%22SESSION%2BTOKEN/%3D%3D%22%7D", host: "sts")
        #expect(try subject(Self.temporary, host: "sts") == expected)
    }

    @Test func `a verification URL that is not a URL is refused`() {
        let error = #expect(throws: AccessTokenError.self) {
            try AWSSubjectToken.make(
                Self.keys, region: "r", verificationURL: "http://sts.{region}.amazonaws.com", audience: "", at: 0)
        }
        #expect(error?.sentence.hasPrefix("regional_cred_verification_url is plain http to another machine ") == true)
    }

    @Test(arguments: ["", "us east", "US-EAST-1", "a.b", "a/b", String(repeating: "a", count: 64)])
    func `another text than a region is refused`(text: String) {
        #expect(!AWSEnvironment.isRegion(text))
        guard !text.isEmpty else { return }
        #expect(throws: AccessTokenError.self) { try AWSEnvironment(["AWS_DEFAULT_REGION": text]) }
    }

    @Test func `AWS_REGION comes first, and half of a key counts for nothing`() throws {
        let both = try AWSEnvironment(["AWS_REGION": "a-1", "AWS_DEFAULT_REGION": "b-1", "AWS_ACCESS_KEY_ID": "x"])
        #expect(both.region == "a-1" && source(both) == "instance")
        let other = try AWSEnvironment([
            "AWS_REGION": "", "AWS_DEFAULT_REGION": "b-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y",
            "AWS_SESSION_TOKEN": "z",
        ])
        #expect(other.region == "b-1" && source(other) == "given z")
    }

    private func source(_ environment: AWSEnvironment) -> String {
        switch environment.source {
        case .given(let credentials): "given \(credentials.sessionToken?.value ?? "")"
        case .webIdentity: "web identity"
        case .container: "container"
        case .instance: "instance"
        }
    }

    @Test func `credentials are chosen in the order of AWS's clients`() throws {
        var variables = [
            "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y", "AWS_WEB_IDENTITY_TOKEN_FILE": "/file",
            "AWS_ROLE_ARN": "arn", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials",
        ]
        #expect(try source(AWSEnvironment(variables)) == "given ")
        variables["AWS_ACCESS_KEY_ID"] = nil
        #expect(try source(AWSEnvironment(variables)) == "web identity")
        variables["AWS_ROLE_ARN"] = ""
        #expect(
            throws: AccessTokenError(
                "AWS_WEB_IDENTITY_TOKEN_FILE is set without AWS_ROLE_ARN; expected both, or neither")
        ) { try AWSEnvironment(variables) }
        variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = nil
        #expect(try source(AWSEnvironment(variables)) == "container")
        variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = nil
        #expect(try source(AWSEnvironment(variables)) == "instance")
    }

    @Test(arguments: [
        ("RELATIVE_URI", "/v2/credentials/1", "http://169.254.170.2/v2/credentials/1"),
        ("FULL_URI", "http://169.254.170.23/v1", "http://169.254.170.23/v1"),
        ("FULL_URI", "http://[fd00:ec2::23]/v1", "http://[fd00:ec2::23]/v1"),
        ("FULL_URI", "http://localhost:8080/", "http://localhost:8080/"),
        ("FULL_URI", "https://keys.example.com/", "https://keys.example.com/"),
    ])
    func `a container asks the addresses that AWS's clients allow`(name: String, value: String, url: String)
        async throws
    {
        let service = FakeService(.ok(#"{"AccessKeyId": "a", "SecretAccessKey": "b", "Token": "c"}"#))
        let variables = ["AWS_CONTAINER_CREDENTIALS_\(name)": value, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "secret"]
        let credentials = try await AWSContainer(variables)?.credentials(by: service.send)
        #expect(credentials?.sessionToken?.value == "c")
        #expect(service.seen == [.init(method: "GET", url: url, fields: ["authorization: secret"])])
    }

    @Test func `a container's token is read from its file for each request`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write("token", " first\n")
        let answer = FakeService.Answer.ok(#"{"AccessKeyId": "a", "SecretAccessKey": "b"}"#)
        let service = FakeService(answer, answer)
        let container = try #require(
            try AWSContainer([
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost/", AWSContainer.tokenFileVariable: path,
            ]))
        #expect(try await container.credentials(by: service.send).sessionToken == nil)
        try scratch.write("token", "second")
        _ = try await container.credentials(by: service.send)
        #expect(service.seen.map(\.fields) == [["authorization: first"], ["authorization: second"]])
        for (content, problem) in [(" \n", "is empty or not UTF-8; expected a token"), ("a\nb", nil)] {
            try scratch.write("token", content)
            let error = await #expect(throws: AccessTokenError.self) {
                try await container.credentials(by: service.send)
            }
            if let problem { #expect(error?.sentence == "\(AWSContainer.tokenFileVariable) \(path) \(problem)") }
        }
        #expect(service.seen.count == 2)
    }

    @Test(arguments: [
        ("RELATIVE_URI", "@example.com/"), ("RELATIVE_URI", ".example.com/"), ("RELATIVE_URI", ":x"),
        ("FULL_URI", "http://169.254.169.254/"), ("FULL_URI", "http://example.com/"), ("FULL_URI", "ftp://localhost/"),
        ("FULL_URI", "http://169.254.170.2.example.com/"), ("FULL_URI", "/v2/credentials"),
    ])
    func `a container asks no other address`(name: String, value: String) {
        let error = #expect(throws: AccessTokenError.self) {
            try AWSContainer(["AWS_CONTAINER_CREDENTIALS_\(name)": value])
        }
        #expect(error?.sentence.hasPrefix("AWS_CONTAINER_CREDENTIALS_\(name) ") == true)
    }

    @Test(arguments: [
        ("us-east-1", nil, "https://sts.us-east-1.amazonaws.com/"),
        ("cn-north-1", nil, "https://sts.cn-north-1.amazonaws.com.cn/"),
        ("us-east-1", "https://sts.example.com/x", "https://sts.example.com/x"),
    ])
    func `a web identity is sent to the STS of its region`(region: String, endpoint: String?, url: String) async throws
    {
        let scratch = try Scratch()
        let token = "eyJhbGciOiJSUzI1NiJ9.e30.AA"
        var variables = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": try scratch.write("token", token + "\n"), "AWS_ROLE_ARN": "arn:a",
        ]
        variables["AWS_ENDPOINT_URL_STS"] = endpoint
        let service = FakeService(
            .ok(
                #"{"AssumeRoleWithWebIdentityResponse": {"AssumeRoleWithWebIdentityResult": {"Credentials": "#
                    + #"{"AccessKeyId": "a", "SecretAccessKey": "b", "SessionToken": "c"}}}}"#),
            .ok("{}"), .status(400, #"{"Error": {"Code": "ExpiredToken", "Message": "\#(token) is old"}}"#))
        let identity = try #require(try AWSWebIdentity(variables))
        #expect(try await identity.credentials(in: region, by: service.send).sessionToken?.value == "c")
        #expect(service.seen.map(\.url) == [url])
        #expect(
            service.seen.map(\.body) == [
                "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aa&RoleSessionName=token-provider"
                    + "&WebIdentityToken=\(token)"
            ])
        for part in ["without an object AssumeRoleWithWebIdentityResponse; expected one", "ExpiredToken"] {
            let error = await #expect(throws: AccessTokenError.self) {
                try await identity.credentials(in: region, by: service.send)
            }
            #expect(error?.sentence.contains(part) == true && error?.sentence.contains(token) == false)
        }
    }
}
