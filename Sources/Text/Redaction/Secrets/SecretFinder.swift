/// A key or token in a text.
package struct FoundSecret: Hashable, Sendable {
  /// The kind: `github-token`.
  package let kind: String
  /// In bytes of UTF-8.
  package let range: Range<Int>
}

/// Finds keys and tokens in texts.
///
/// A text without any keyword costs a look at each byte. Forms are compared from left to right
/// (``SecretShape``) without regular expressions, so that hostile texts take no longer, and results do not
/// depend on the build.
package struct SecretFinder: Sendable {
  private enum Search {
    case token(SecretRules.Rule)
    case assigned(SecretRules.Rule)
    case anyAssigned(least: Int)
    case privateKey, webToken, address, header
    case curl, sshpass, netrc, cookie, nickServ, sentence
  }

  private struct Candidate {
    let secret: FoundSecret
    let isGeneric: Bool
  }

  private var keywords = WordTrie()
  private var searches: [[Search]] = []

  /// The finder for all known forms.
  package static let standard = SecretFinder(SecretRules.all)

  /// Names of secret values, with the least length of a value.
  private static let secretNames = [
    ("access", 16), ("api", 16), ("auth", 16), ("credential", 10), ("creds", 10), ("key", 16), ("passwd", 8),
    ("password", 8), ("secret", 10), ("token", 16),
  ]

  init(_ rules: SecretRules) {
    for rule in rules.rules {
      if rule.words.isEmpty {
        add(rule.shape.keyword, .token(rule))
      } else {
        for word in rule.words { add(Array(word.utf8), .assigned(rule)) }
      }
    }
    for (name, least) in Self.secretNames { add(Array(name.utf8), .anyAssigned(least: least)) }
    add(Array("-----begin".utf8), .privateKey)
    add(Array("eyj".utf8), .webToken)
    add(Array("://".utf8), .address)
    add(Array("authorization".utf8), .header)
    add(Array("curl".utf8), .curl)
    add(Array("sshpass".utf8), .sshpass)
    add(Array("machine".utf8), .netrc)
    add(Array("cookie".utf8), .cookie)
    add(Array("identify".utf8), .nickServ)
    for word in ["password", "passwort", "passphrase", "passcode"] { add(Array(word.utf8), .sentence) }
  }

  private mutating func add(_ keyword: [UInt8], _ search: Search) {
    let value = keywords.insert(keyword, searches.count)
    if value == searches.count { searches.append([]) }
    searches[value].append(search)
  }

  /// The secrets of a text, in order and disjoint. O(bytes).
  package func secrets(in text: String) -> [FoundSecret] {
    var text = text
    return text.withUTF8 { secrets(in: $0) }
  }

  /// The secrets of a text, including encoded ones, by their ranges in the text.
  package func secrets(in bytes: UnsafeBufferPointer<UInt8>) -> [FoundSecret] {
    var found = candidates(in: bytes)
    _ = NormalForm.each(of: bytes) { form, isUnmarked in
      guard !isUnmarked else { return }
      found += form.bytes.withUnsafeBufferPointer { candidates(in: $0) }.map { candidate in
        let secret = FoundSecret(kind: candidate.secret.kind, range: form.origin(of: candidate.secret.range))
        return Candidate(secret: secret, isGeneric: candidate.isGeneric)
      }
    }
    return found.isEmpty ? [] : Self.apart(found)
  }

  func secrets(asWrittenIn bytes: UnsafeBufferPointer<UInt8>) -> [FoundSecret] {
    let found = candidates(in: bytes)
    return found.isEmpty ? [] : Self.apart(found)
  }

  private func candidates(in bytes: UnsafeBufferPointer<UInt8>) -> [Candidate] {
    var found: [Candidate] = []
    for place in bytes.indices where keywords.mayBegin(at: place, in: bytes) {
      keywords.each(at: place, in: bytes) { value, end in
        for search in searches[value] { found += find(search, bytes, place, end) }
      }
    }
    return found
  }

  /// A known form takes precedence over others.
  private static func apart(_ found: [Candidate]) -> [FoundSecret] {
    let sorted = found.sorted {
      ($0.isGeneric ? 1 : 0, $0.secret.range.lowerBound, -$0.secret.range.count)
        < ($1.isGeneric ? 1 : 0, $1.secret.range.lowerBound, -$1.secret.range.count)
    }
    var (specific, others): ([FoundSecret], [FoundSecret]) = ([], [])
    for candidate in sorted where !candidate.isGeneric {
      if let last = specific.last, last.range.overlaps(candidate.secret.range) { continue }
      specific.append(candidate.secret)
    }
    var next = 0
    for candidate in sorted where candidate.isGeneric {
      let range = candidate.secret.range
      if let last = others.last, last.range.overlaps(range) { continue }
      while next < specific.count, specific[next].range.upperBound <= range.lowerBound { next += 1 }
      if next < specific.count, specific[next].range.overlaps(range) { continue }
      others.append(candidate.secret)
    }
    return (specific + others).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func find(
    _ search: Search, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ end: Int
  ) -> [Candidate] {
    if case .cookie = search {
      return SecretReader(bytes: bytes).cookies(behind: end).compactMap { generic("cookie", $0) }
    }
    return one(search, bytes, place, end).map { [$0] } ?? []
  }

  private func one(
    _ search: Search, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ end: Int
  ) -> Candidate? {
    let reader = SecretReader(bytes: bytes)
    switch search {
    case .token(let rule):
      let start = place - rule.shape.leading
      guard start >= 0, reader.begins(at: start, isRare: rule.shape.isRare),
        let end = rule.shape.end(from: start, in: bytes)
      else {
        return nil
      }
      return candidate(rule.kind, start..<end, rule.entropy, bytes)
    case .assigned(let rule):
      guard let start = reader.value(behind: end), let end = rule.shape.end(from: start, in: bytes),
        reader.isEnd(end)
      else { return nil }
      return candidate(rule.kind, start..<end, rule.entropy, bytes)
    case .anyAssigned(let least):
      guard let start = reader.value(behind: end), !reader.isOfPublicKey(at: place) else { return nil }
      return reader.anyValue(from: start, least: least).map {
        Candidate(secret: FoundSecret(kind: "assigned-secret", range: $0), isGeneric: true)
      }
    case .privateKey:
      return reader.privateKey(from: place).map {
        Candidate(secret: FoundSecret(kind: "private-key", range: $0), isGeneric: false)
      }
    case .webToken:
      guard reader.begins(at: place), let end = reader.webToken(from: place) else { return nil }
      return candidate("web-token", place..<end, 3.5, bytes)
    case .address:
      return reader.password(inAddressAt: end).map {
        Candidate(secret: FoundSecret(kind: "password-in-address", range: $0), isGeneric: true)
      }
    case .header: return generic("authorization", reader.authorization(behind: end))
    case .curl: return generic("password-in-command", reader.curlPassword(behind: end))
    case .sshpass: return generic("password-in-command", reader.sshPassword(behind: end))
    case .netrc: return generic("netrc-password", reader.netrcPassword(behind: end))
    case .cookie: return reader.cookies(behind: end).first.flatMap { generic("cookie", $0) }
    case .nickServ: return generic("nickserv-password", reader.nickServPassword(behind: end, from: place))
    case .sentence: return generic("password-in-text", reader.spokenPassword(behind: end))
    }
  }

  private func generic(_ kind: String, _ range: Range<Int>?) -> Candidate? {
    range.map { Candidate(secret: FoundSecret(kind: kind, range: $0), isGeneric: true) }
  }

  private func candidate(
    _ kind: String, _ range: Range<Int>, _ entropy: Double, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Candidate? {
    let reader = SecretReader(bytes: bytes)
    guard reader.entropy(of: range) >= entropy, !reader.isExampleOfForm(range) else { return nil }
    return Candidate(secret: FoundSecret(kind: kind, range: range), isGeneric: false)
  }
}

/// Secrets shown in part.
package enum MaskedSecret {
  private static let shown = 4

  /// The first characters and the length, `ghp_…(40 characters)`; less of short secrets.
  package static func text(of secret: Substring) -> String {
    let count = secret.count
    let start = secret.prefix(min(shown, count / 4)).map { $0.isNewline ? " " : $0 }
    return "\(String(start))…(\(count) characters)"
  }

  /// Masks each secret in a text, such as a name derived from a message.
  package static func text(masking text: String) -> String {
    var masked = ""
    var end = 0
    for secret in SecretFinder.standard.secrets(in: text) {
      masked += text.part(end..<secret.range.lowerBound) + Self.text(of: text.part(secret.range))
      end = secret.range.upperBound
    }
    return masked + text.part(end..<text.utf8.count)
  }
}

extension String {
  /// The part between two offsets in bytes.
  package func part(_ range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound, limitedBy: endIndex) ?? endIndex
    let end = utf8.index(startIndex, offsetBy: range.upperBound, limitedBy: endIndex) ?? endIndex
    return self[start..<end]
  }
}
