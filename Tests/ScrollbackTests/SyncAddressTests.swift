import Foundation
import ShellTesting
import TestSupport
import Testing

/// How `sync` names another computer, and what it takes from it; with scripts in the place of ssh and rsync.
@Suite struct SyncAddressTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 3)
    try write("rsh", #"printf '%s\n' "$1" >>"$0.hosts"; shift; exec /bin/sh -c "$*""#)
    // Its last two words are what to copy, and where to.
    try write(
      "rsync",
      #"for word; do from=$to; to=$word; done; printf '%s\n' "$from" "$to" >>"$0.places"; cp "${from#*]:}" "${to#*]:}""#
    )
    try write("endless", "exec yes 'no answer'")
  }

  private func path(_ name: String) -> String { fixture.folder.path + "/" + name }

  private func write(_ name: String, _ script: String) throws {
    try "#!/bin/sh\n\(script)\n".write(toFile: path(name), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
  }

  private func sync(_ place: String, by shell: String = "rsh") throws -> ShellFixture.Answer {
    let process = fixture.process(
      ["sync", "-e", path(shell), "--program", BuiltProduct.folder.path + "/scrollback", "--", place])
    let errors = Pipe()
    process.environment?["PATH"] = "\(fixture.folder.path):/usr/bin:/bin"
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ("", text, process.terminationStatus)
  }

  @Test(arguments: [("[::1]", "::1"), ("ann@[fe80::2%eth0]", "ann@fe80::2%eth0")])
  func `an address of IPv6 stands in brackets, which ssh does not take and rsync does`(
    place: String, host: String
  ) throws {
    let answer = try sync("\(place):\(path("other.db"))")
    #expect(answer.status == 0 && answer.errors.contains("both stores hold 3 messages"), "\(answer.errors)")
    let hosts = try String(contentsOfFile: path("rsh.hosts"), encoding: .utf8)
    #expect(Set(hosts.split(separator: "\n").map(String.init)) == [host])
    let places = try String(contentsOfFile: path("rsync.places"), encoding: .utf8)
    #expect(places.split(separator: "\n").last?.hasPrefix("\(place):/") == true, "\(places)")
  }

  @Test(arguments: ["[::1", "[]", "[::1]x", "x[::1]", "[-oProxyCommand=x]", "[a b]"])
  func `what is no computer is refused`(place: String) throws {
    let answer = try sync(place)
    #expect(answer.status == 64 && answer.errors.contains("names no other computer"), "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: path("rsh.hosts")))
  }

  @Test func `a computer that answers without an end is left`() throws {
    let answer = try sync("elsewhere", by: "endless")
    #expect(answer.status == 74 && answer.errors.contains("more than any valid output"), "\(answer.errors)")
  }

  @Test func `lines of another computer end as theirs do, in answers and in complaints`() throws {
    try write("foreign", #"shift; out=$(exec /bin/sh -c "$*") && printf '%s\r\n' "$out""#)
    let answer = try sync("[::1]:\(path("other.db"))", by: "foreign")
    #expect(answer.status == 0 && answer.errors.contains("both stores hold 3 messages"), "\(answer.errors)")
    try write("refusing", #"printf 'no route\r\nto that host\r\n' >&2; exit 255"#)
    let refusal = try sync("elsewhere", by: "refusing")
    #expect(refusal.status == 74)
    #expect(
      refusal.errors.hasSuffix("cannot sync with 'elsewhere'\n  cause: no route; to that host\n"),
      "\(refusal.errors)")
  }

  @Test func `a password in the name of a computer is said in no error`() throws {
    for place in ["ssh://ann:secret@elsewhere/store", "[x]y://ann:secret@elsewhere"] {
      let answer = try sync(place)
      #expect(answer.status != 0 && !answer.errors.contains("secret"), "\(answer.errors)")
    }
  }
}
