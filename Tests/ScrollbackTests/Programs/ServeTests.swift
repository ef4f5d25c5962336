import Foundation
import ShellTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `scrollback serve`, as somebody starts and stops it.
@Suite(.serialized) struct ServeTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `it prints where the page is, answers there, and ends by the signal that stops it`(number: Int32)
    throws
  {
    let fixture = try ShellFixture(count: 3)
    let (process, output) = (fixture.process(["serve"]), Pipe())
    process.standardOutput = output
    try process.run()
    defer { process.terminate() }
    let line = try #require(String(data: output.fileHandleForReading.availableData, encoding: .utf8))
    let url = try #require(URL(string: line.trimmingCharacters(in: .newlines)))
    #expect(line.hasSuffix("/\n") && url.host == "127.0.0.1" && url.pathComponents.count == 2)
    let page = try Data(contentsOf: url.appending(path: "api/page"))
    #expect(String(decoding: page, as: UTF8.self).contains("message 3"))
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
  }

  @Test func `a port that is taken is told`() throws {
    let fixture = try ShellFixture(count: 1)
    let (first, output) = (fixture.process(["serve"]), Pipe())
    first.standardOutput = output
    try first.run()
    defer { first.terminate() }
    let line = try #require(String(data: output.fileHandleForReading.availableData, encoding: .utf8))
    let port = try #require(URL(string: line.trimmingCharacters(in: .newlines))?.port)
    let (second, errors) = (fixture.process(["serve", "--port", "\(port)"]), Pipe())
    second.standardError = errors
    try second.run()
    second.waitUntilExit()
    #expect(second.terminationStatus == 73)
    let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(
      text == """
        scrollback: cannot listen at port \(port)
          cause: Address already in use
          try: --port 0 chooses a free one

        """)
  }
}
