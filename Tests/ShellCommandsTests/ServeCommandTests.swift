import Foundation
import ShellCommands
import ShellTesting
import Synchronization
import Testing

/// `serve`, up to where the server takes its place.
@Suite struct ServeCommandTests {
  private func run(
    _ arguments: [String], in fixture: ShellFixture, failure: OtherProgram.Failure
  ) -> (given: [String], errors: String, status: Int32) {
    let given = Mutex<[String]>([])
    let (output, errors) = (CapturedBytes(), CapturedBytes())
    var shell = Shell(
      environment: fixture.environment, output: output, errors: errors, takesSignals: false,
      openWindow: { _ in throw CancellationError() })
    shell.becomeServer = { arguments in
      given.withLock { $0 = arguments }
      return failure
    }
    let status = shell.run(arguments).rawValue
    return (given.withLock { $0 }, errors.text, status)
  }

  @Test func `the server is given the store, the port and who asks`() throws {
    let fixture = try ShellFixture(count: 1)
    let failure = OtherProgram.Failure.failed(cause: "it is another's")
    let plain = run(["serve"], in: fixture, failure: failure)
    #expect(plain.given == ["--store=\(fixture.store)", "--port=0", "--me=carol"])
    #expect(plain.errors == "scrollback: cannot start the server\n  cause: it is another's\n")
    #expect(plain.status == 74)
    let full = run(
      ["serve", "--port", "8080", "--key-file", "k", "--mark-read", "--write", "stars", "--open"],
      in: fixture, failure: failure)
    let others = ["--port=8080", "--key-file=k", "--me=carol", "--write=read", "--write=stars", "--open"]
    #expect(Array(full.given.dropFirst()) == others)
  }

  @Test func `without a store the default one is made, and one that was named is not`() throws {
    let fixture = try ShellFixture(count: 1, environment: ["SCROLLBACK_STORE": ""])
    let failure = OtherProgram.Failure.failed(cause: "it is another's")
    let place = fixture.folder.appending(path: ".local/share/scrollback/scrollback.db").path
    try FileManager.default.removeItem(atPath: place)
    #expect(run(["serve"], in: fixture, failure: failure).given.first == "--store=\(place)")
    #expect(FileManager.default.fileExists(atPath: place))
    let other = fixture.folder.appending(path: "other.db").path
    #expect(run(["serve", "--store", other], in: fixture, failure: failure).given.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func `a command whose program was replaced meanwhile says so`() throws {
    let fixture = try ShellFixture(count: 1)
    let answer = run(["serve"], in: fixture, failure: .notThere(path: "/opt/bin/scrollback"))
    #expect(answer.status == 66)
    #expect(
      answer.errors == """
        scrollback: cannot start the server
          cause: '/opt/bin/scrollback', from which this command was started, no longer exists
          try: the command again, as it is installed now

        """)
  }

  @Test func `what is wrong with the store is told as ever, and nothing is begun`() throws {
    let fixture = try ShellFixture(count: 1)
    let answer = run(["serve", "--store", "/nowhere.db"], in: fixture, failure: .failed(cause: ""))
    #expect(answer.status == 66 && answer.given.isEmpty, "\(answer)")
    #expect(run(["serve", "--port", "70000"], in: fixture, failure: .failed(cause: "")).status == 64)
  }
}
