import MessageSourceTesting
import Testing

@testable import Redaction

/// Keys and tokens in texts. All of them are made up by a seed.
@Suite struct SecretFinderTests {
  private func found(_ text: String) -> [String] {
    SecretFinder.standard.secrets(in: text).map { "\($0.kind): \(text.part($0.range))" }
  }

  private func kinds(_ text: String) -> [String] { SecretFinder.standard.secrets(in: text).map(\.kind) }

  // MARK: Rules

  struct Rule: CustomTestStringConvertible, Sendable {
    let rule: SecretRules.Rule
    let number: Int
    var testDescription: String { "\(number) \(rule.kind)" }

    /// A secret of the form, as mixed as its letters allow.
    func secret(_ random: inout SeededGenerator, shorterBy missing: Int = 0) -> String {
      var bytes: [UInt8] = []
      for (index, part) in rule.shape.parts.enumerated() {
        switch part {
        case .text(let text): bytes += text
        case .run(let set, let count):
          let letters = (UInt8(0x21)..<0x7F).filter(set.contains)
          let isLast = index == rule.shape.parts.count - 1
          let length = count.lowerBound - (isLast ? missing : 0)
          // A sign at an end may be one of the sentence.
          var run = (0..<length).map { _ in letters.randomElement(using: &random) ?? 0 }
          for end in [0, run.count - 1] where run.indices.contains(end) {
            run[end] = letters.filter(Self.isLetterOrDigit).randomElement(using: &random) ?? 0
          }
          bytes += run
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
      ByteSet.word.contains(byte) && byte != UInt8(ascii: "_")
    }

    /// A text in which a secret stands as it does in real ones.
    func text(_ secret: String, in manner: Int) -> String {
      let name = rule.words.first ?? ""
      let lines =
        rule.words.isEmpty
        ? ["use \(secret) for it", "\(secret)", #"{"x":"\#(secret)"}"#, #"a\n\#(secret)\nb"#, "(\(secret))."]
        : [
          "\(name)_key = \(secret)", #"{"\#(name)Token": "\#(secret)"}"#, "\(name.uppercased()): '\(secret)'",
          "export \(name.uppercased())_TOKEN=\(secret)", #"{\"\#(name)\":\"\#(secret)\"}"#,
        ]
      return lines[manner % lines.count]
    }
  }

  private static let rules = SecretRules.all.rules.enumerated().map { Rule(rule: $1, number: $0) }

  @Test func `each line of the rules is one`() throws {
    let lines = SecretRules.text.split(separator: "\n")
    let rules = lines.filter { !$0.hasPrefix("#") }
    #expect(rules.count > 200)
    for rule in rules { #expect(SecretRules.rule(rule) != nil, "\(rule)") }
  }

  @Test(arguments: rules) func `a secret of each form is found in whole where it stands`(rule: Rule) {
    var random = SeededGenerator(seed: UInt64(rule.number))
    for manner in 0..<10 {
      let secret = rule.secret(&random)
      let text = "Zoë: " + rule.text(secret, in: manner)
      let found = SecretFinder.standard.secrets(in: text)
      let covered = found.contains { text.part($0.range) == secret }
      #expect(covered, "\(text) has \(found.map { "\($0.kind) \(text.part($0.range))" })")
    }
  }

  @Test(arguments: rules.filter { $0.rule.words.isEmpty })
  func `what only looks like a form is not it`(rule: Rule) {
    var random = SeededGenerator(seed: UInt64(rule.number))
    let secret = rule.secret(&random)
    // Within a word, too short, or one letter again and again.
    #expect(!kinds("say x\(secret)").contains(rule.rule.kind) || rule.rule.shape.leading > 0)
    if case .run(_, let count)? = rule.rule.shape.parts.last, count.lowerBound > 1 {
      let short = rule.secret(&random, shorterBy: 1)
      let others = SecretRules.all.rules.filter { $0.kind == rule.rule.kind }
      #expect(others.count > 1 || !kinds("say \(short) now").contains(rule.rule.kind))
    }
    let dull = rule.rule.shape.parts.map { part in
      switch part {
      case .text(let text): String(decoding: text, as: UTF8.self)
      case .run(let set, let count):
        String(repeating: set.contains(UInt8(ascii: "7")) ? "7" : "A", count: count.lowerBound)
      }
    }.joined()
    #expect(!kinds("say \(dull) now").contains(rule.rule.kind) || dull.utf8.count < 24)
  }

  // MARK: Others

  @Test func `values that are given to the name of a secret are found if they are mixed`() {
    #expect(
      found("API_KEY=9f8aK2mQzL0pXv7TbR4s and more") == ["assigned-secret: 9f8aK2mQzL0pXv7TbR4s"])
    #expect(found(#""password": "kT9#vQ2!mZx8""#) == ["assigned-secret: kT9#vQ2!mZx8"])
    #expect(found("auth_token: 'Zk3v-8sQp_1LmNt0Rw5'") == ["assigned-secret: Zk3v-8sQp_1LmNt0Rw5"])
    let value = "hDif0NHU9dobQjn4DaifUEEgJmgyU9A9"
    for name in ["VAPID_PUBLIC_KEY", "publicKey", "public-key", "ssh.public.key"] {
      #expect(found("\(name)=\(value)") == [])
    }
    #expect(found("VAPID_PRIVATE_KEY=\(value)") == ["assigned-secret: \(value)"])
    #expect(found("REPUBLIC_API_KEY=\(value)") == ["assigned-secret: \(value)"])
    for text in [
      "let key = someFunctionName2", "api_key = process.env.API_KEY_1", "token: ${{ secrets.TOKEN_2 }}",
      "the password is: correct", "API_KEY=your-api-key-here-12345",
      "key: 550e8400-e29b-41d4-a716-446655440000",
      "token == 9f8aK2mQzL0pXv7TbR4s", "access: /usr/local/lib/python3.11/site-packages",
      "secret: AKIAIOSFODNN7EXAMPLE", "keyboard: none", "password=aaaaaaaaaaaaaaa1",
      "Author: Ann Smith <ann1@example.org>", "monkey: https://example.org/a1b2c3d4e5f6g7h8",
    ] {
      #expect(found(text) == [], "\(text)")
    }
  }

  @Test func `keys, web tokens, headers and passwords in addresses are found`() {
    let body = (0..<20).map { _ in "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj" }.joined(separator: "\n")
    let key = "-----BEGIN RSA PRIVATE KEY-----\n\(body)\n-----END RSA PRIVATE KEY-----"
    #expect(found("a \(key) b") == ["private-key: \(key)"])
    // What is cut off is one, too.
    #expect(kinds("-----BEGIN PRIVATE KEY-----\n\(body)") == ["private-key"])
    #expect(kinds("-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----") == [])
    #expect(kinds("a heading says -----BEGIN PRIVATE KEY----- and nothing more") == [])
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.Qm9iQnJpbmdzVGhlVGVhQXRGaXZl"
    #expect(found("t=\(token);") == ["web-token: \(token)"])
    #expect(
      found("curl -H 'Authorization: Bearer 7fK2mQ9zL0pXv4TbR8s' x") == ["authorization: 7fK2mQ9zL0pXv4TbR8s"]
    )
    #expect(
      found("postgres://ann:k3T9vQ2mZx@db:5432/tea") == ["password-in-address: k3T9vQ2mZx"])
    for text in [
      "postgres://postgres:postgres@localhost/x", "postgres://ann:my_password@db/x",
      "https://ann:$PASSWORD@host", "http://a.b:8080/@ann",
      "redis://user:password@host",
    ] {
      #expect(found(text) == [], "\(text)")
    }
  }

  private static let mixed = "a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6"

  @Test(arguments: [
    ("\u{1B}[32mghp_\(mixed)\u{1B}[0m", "github-token: ghp_\(mixed)"),
    ("?token%3Dghp_\(mixed)", "github-token: ghp_\(mixed)"),
    ("my_ghp_\(mixed)", "github-token: ghp_\(mixed)"),
    ("ghp_0123456789xQ2zLkW7mNbVcRt5YpSdFgHjK8", "github-token: ghp_0123456789xQ2zLkW7mNbVcRt5YpSdFgHjK8"),
    ("curl -u ann:k3T9vQ https://x", "password-in-command: k3T9vQ"),
    ("curl -s --user 'ann:k3 T9vQ' https://x", "password-in-command: k3 T9vQ"),
    ("sshpass -p tr0ub4dor ssh ann@h", "password-in-command: tr0ub4dor"),
    ("Cookie: consent=yes; session=9f8aK2mQzL0pXv7TbR4s; theme=dark", "cookie: 9f8aK2mQzL0pXv7TbR4s"),
    ("Set-Cookie: sid=9f8aK2mQzL0pXv7TbR4s; Path=/; HttpOnly", "cookie: 9f8aK2mQzL0pXv7TbR4s"),
    ("machine example.org login ann password hunter2x", "netrc-password: hunter2x"),
    ("machine example.org\n  login ann\n  password hunter2x\n", "netrc-password: hunter2x"),
    ("the password is hunter2", "password-in-text: hunter2"),
    ("wifi password: kettle42!", "password-in-text: kettle42"),
    ("/msg NickServ identify ann correcthorse", "nickserv-password: correcthorse"),
    ("PRIVMSG NickServ :IDENTIFY s3cretword", "nickserv-password: s3cretword"),
    (
      "https://api.telegram.org/bot123456789:AAF9a8K2mQzL0pXv7TbR4sWq1E3yU5iO7pA/getMe",
      "telegram-bot-token: api.telegram.org/bot123456789:AAF9a8K2mQzL0pXv7TbR4sWq1E3yU5iO7pA"
    ),
    (
      "glpat-x9Y8w7V6u5T4s3R2q1P0x9Y8w7V.01.a1b2c3d4e",
      "gitlab-token: glpat-x9Y8w7V6u5T4s3R2q1P0x9Y8w7V.01.a1b2c3d4e"
    ),
  ])
  func `secrets are found in what terminals, commands, headers, files and people write`(
    text: String, secret: String
  ) {
    #expect(found(text) == [secret])
  }

  /// What people write in chats and code that looks like a secret and is none.
  private static let lookAlikes = [
    // Sentences about secrets.
    "the password is wrong", "the password is required", "the password is incorrect!", "password: required",
    "the password is 12 characters long", "the password is on the fridge", "password is hashed with argon2id",
    "password: sha256", "the password: prompt1", "password: field2", "password: 2nd try",
    "passwort: siehe Zettel",
    "password: input#2", "password: step-3", "the password: see chapter4",
    "password: ******** (8 characters)",
    "forgot the password again, third time today", "the password field is too small on mobile2",
    "the token ring network had 16 nodes", "the key question: who pays?", "the secret: patience and butter",
    "my secret is 100% cocoa", "access: 24/7 via gate3", "api: v2.1, auth: none", "key: value",
    "token: str = None",
    "the passphrase is optional", "password is ann1@example.org", "my password manager is KeePassXC 2.7.6",
    "please identify to NickServ first", "NickServ: identify yourself",
    "Cookie policy: we use cookies", "the cookie: 2 eggs, 200g sugar, 1 lemon",
    "machine learning login page password reset", "the machine has a login and a password field",
    // Placeholders and variables.
    "password: ${PASSWORD_2}", "token: ${{ secrets.GITHUB_TOKEN }}", "API_KEY=$OTHER_API_KEY_2",
    "API_KEY=<your-api-key-1234567>", "api_key = 'YOUR_API_KEY_HERE_123'", "token=xxxxxxxxxxxxxxxx1234",
    "secret = os.environ['CLIENT_SECRET_1']", "const apiKey = process.env.OPENAI_API_KEY_2;",
    "apiKey: import.meta.env.VITE_API_KEY1", "password = getpass.getpass('Password 1: ')",
    "export TOKEN=$(cat /run/secrets/token1)", "api_key: {{ vault_api_key_v2 }}",
    "SECRET_KEY=%(secret_key_1)s",
    "curl -u user: https://x", "curl -u $USER:$PASS https://x", "curl -u user:password https://x",
    "curl -u ann x",
    "sshpass -p $PASS ssh", "sshpass -p <password> ssh", "NickServ IDENTIFY <password>",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "api.telegram.org/bot<token>/getMe", "AKIAIOSFODNN7EXAMPLE", "sk-...abcd", "Bearer <access_token>",
    "Authorization: Bearer $ACCESS_TOKEN_2", "postgres://user:password@localhost:5432/db1",
    // Digests and ids.
    "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f9", "9fceb02d0ae598e95dc970b74767f19372d61af8 fix tests",
    "merge 7f3d9a1..b82c4e0 into main", "request 550e8400-e29b-41d4-a716-446655440000",
    "session_key: 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "md5 d41d8cd98f00b204e9800998ecf8427e empty.txt",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
    "integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"",
    "h1:uRGJdciOHaEIrze2W8Q3AKkepLTh2hOroT7a+7czfdQ=", "Message-ID: <CAF3x8hQ9mK2vLp7w@mail.example.com>",
    "image: nginx@sha256:4c0fdaa8b6341bfdeca5f18f7837462c80cff90527ee35ef185571e1c327beac",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3vU8x2YbQmW9sT4pL7nR5cD1fH6jK0aE8gZ3xV2bN ann@laptop",
    "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 (ED25519)",
    "trace-id: 4bf92f3577b34da6a3ce929d0e0e4736", "event $YmZ2c3Rhd2Vhc2Rm:matrix.org",
    "nonce 18446744073709551615",
    // Data of pictures.
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgH",
    // Numbers and names.
    "color: #1e90ff; background: #0a0a0a80", "call +49 170 1234567 or 555-0199", "order 302-8847261-5530912",
    "tracking 1Z999AA10123456784", "IBAN DE89 3704 0044 0532 0130 00", "invoice INV-2024-000173",
    "IMG_20240501_123456789.jpg", "Screenshot_2024-05-01-12-34-56-789_com.example.app.png",
    "https://example.org/watch?v=dQw4w9WgXcQ",
    "https://docs.example.com/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv/edit",
    "https://example.org/issues/1234#issuecomment-1598203345", "ip-10-0-12-34.eu-west-1.compute.internal",
    "db-prod-7f9c8d6b5-x2x4q", "registry.example.com/team/app:v1.24.3-rc2+build.4711",
    "Mozilla/5.0 (X11; Linux x86_64)",
    "libfoo.so.1.2.3 (0x00007f8a1c2b3000)", "2001:0db8:85a3:0000:0000:8a2e:0370:7334", "00:1A:2B:3C:4D:5E",
    "access_log: /var/log/nginx/access_2024.log", "publicKey: hDif0NHU9dobQjn4DaifUEEgJmgyU9A9",
    "let keyBindings2 = KeyBindingsV2()", "key=lambda x: x[1]", "primary_key=True, foreign_key='user.id2'",
    "keyCode: 229, key: 'ArrowLeft'", "tokenizer: cl100k_base", "max_tokens: 4096", "token_count = 128000",
    "secretName: tls-secret-v2", "keystore: /etc/ssl/keystore2.jks", "passwordHash: bcrypt",
    "api: https://api.example.com/v1/users/42", "Cookie: consent=yes",
    "Cookie: consent=yes; lang=en-GB; theme=dark-mode",
  ]

  @Test func `there are at least 60 look-alikes`() { #expect(Set(Self.lookAlikes).count >= 60) }

  @Test(arguments: lookAlikes) func `what only looks like a secret is none`(text: String) {
    #expect(found(text) == [])
    #expect(found("Ann: \(text), said Bob") == [])
    #expect(found("a\n\(text)\nb") == [])
  }

  @Test func `a secret of a known form is told by that form, and none is found twice`() {
    var random = SeededGenerator(seed: 7)
    let secret =
      "ghp_"
      + String((0..<36).compactMap { _ in "abcdefghijkmnopqrstuvw0123456789".randomElement(using: &random) })
    #expect(
      found("GITHUB_TOKEN=\(secret)\nurl = https://ann:\(secret)@github.com/x") == [
        "github-token: \(secret)", "github-token: \(secret)",
      ])
  }

  @Test func `a secret is shown by its beginning and its length`() {
    #expect(MaskedSecret.text(of: "ghp_abcdefgh") == "ghp…(12 characters)")
    #expect(MaskedSecret.text(of: "sk-ant-0123456789") == "sk-a…(17 characters)")
    #expect(MaskedSecret.text(of: "a") == "…(1 characters)")
  }

  @Test(arguments: UInt64(0)..<6) func `noise of bytes harms nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = [
      "-----BEGIN", " PRIVATE KEY-----", "eyJ", "://", "a:", "@", "token=", "\"", "\\", "ghp_", ".", "\n",
      "é",
    ]
    var bytes: [UInt8] = []
    while bytes.count < 40_000 {
      if Bool.random(using: &random) { bytes += (words.randomElement(using: &random) ?? "").utf8 }
      bytes.append(UInt8.random(in: 0...255, using: &random))
    }
    bytes.withUnsafeBufferPointer { bytes in
      for secret in SecretFinder.standard.secrets(in: bytes) {
        #expect(secret.range.upperBound <= bytes.count && !secret.range.isEmpty)
      }
    }
  }
}
