import Foundation

/// A browser without a window that does as it is told, by the protocol of WebDriver (https://www.w3.org/TR/webdriver2/): what
/// `chromedriver` starts. It ends with this.
final class WebDriver: Sendable {
  /// What the browser, or its driver, could not do.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Values as JSON has them; the name of a key that stands for an element by the protocol.
  typealias Object = [String: Any]
  static let element = "element-6066-11e4-a52e-4f735466cecf"

  private let process = Process()
  private let profile: URL
  private let port: Int
  private let sessionPath: String

  /// The driver and the browser, where they are on this computer.
  static let driver = program(named: ["chromedriver"])
  static let browser = program(named: [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
  ])

  private static func program(named names: [String]) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts the driver, at a port that is free, and a browser with a profile of its own.
  init() throws {
    guard let driver = Self.driver, let browser = Self.browser else {
      throw Failure(description: "there is no chromedriver, or no Chromium")
    }
    profile = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: driver)
    process.arguments = ["--port=0"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TZ": "UTC", "LANG": "en_GB.UTF-8", "HOME": profile.path]) { $1 }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    (port, sessionPath) = try Self.start(process, reading: output, browser: browser, profile: profile)
  }

  deinit {
    _ = try? Self.send("DELETE", port, sessionPath)
    // It inherits that SIGTERM is held back on the thread that started it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: profile)
  }

  private static func start(
    _ process: Process, reading output: Pipe, browser: String, profile: URL
  ) throws -> (port: Int, session: String) {
    try process.run()
    do {
      let port = try port(from: output)
      // Its output is read on, so that it never waits for that.
      output.fileHandleForReading.readabilityHandler = {
        if $0.availableData.isEmpty { $0.readabilityHandler = nil }
      }
      let session = try send(
        "POST", port, "/session", ["capabilities": ["alwaysMatch": capabilities(browser, profile)]])
      guard let id = (session as? Object)?["sessionId"] as? String else {
        throw Failure(description: "the driver begins no session")
      }
      return (port, "/session/\(id)")
    } catch {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      throw error
    }
  }

  private static func port(from output: Pipe) throws -> Int {
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      text += String(decoding: data, as: UTF8.self)
      if let found = text.firstMatch(of: /started successfully on port (\d+)/), let port = Int(found.1) {
        return port
      }
      if data.isEmpty { throw Failure(description: "the driver does not start: \(text)") }
    }
  }

  private static func capabilities(_ browser: String, _ profile: URL) -> Object {
    let arguments = [
      "--headless=new", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--lang=en-GB",
      "--user-data-dir=\(profile.path)/profile",
    ]
    // Its sandbox does not work for root.
    let all = arguments + (geteuid() == 0 ? ["--no-sandbox"] : [])
    return [
      "browserName": "chrome", "goog:chromeOptions": ["binary": browser, "args": all],
      "timeouts": ["script": BrowserScope.measuredStore == nil ? 120_000 : 900_000, "pageLoad": 120_000],
      "goog:loggingPrefs": ["browser": "ALL"],
    ]
  }

  // MARK: Commands

  /// Gives the browser a command of the protocol.
  @discardableResult
  func command(_ method: String, _ path: String, _ body: Object? = nil) throws -> Any {
    try Self.send(method, port, sessionPath + path, body ?? (method == "POST" ? [:] : nil))
  }

  /// Gives Chromium a command of its own protocol.
  @discardableResult
  func chromium(_ command: String, _ parameters: Object = [:]) throws -> Object {
    let body: Object = ["cmd": command, "params": parameters]
    return try self.command("POST", "/goog/cdp/execute", body) as? Object ?? [:]
  }

  /// What a script returns, which waits for promises.
  @discardableResult
  func run(_ script: String, _ arguments: [Any] = []) throws -> Any {
    try command("POST", "/execute/sync", ["script": script, "args": arguments])
  }

  private static func send(_ method: String, _ port: Int, _ path: String, _ body: Object? = nil) throws -> Any
  {
    let body = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let head = """
      \(method) \(path) HTTP/1.1\r
      Host: 127.0.0.1:\(port)\r
      Content-Type: application/json\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    let answer = try exchange(Data(head.utf8) + body, port)
    return try value(in: answer, of: "\(method) \(path)")
  }

  /// Sends a request on a connection of its own, and returns the body of the answer: the driver keeps connections open.
  private static func exchange(_ request: Data, _ port: Int) throws -> Data {
    #if os(Linux)
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    let connection = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "the driver has gone") }
    try connection.write(contentsOf: request)
    var (answer, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      if let end = answer.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound {
        let head = String(decoding: answer[..<end], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        if answer.count - end >= length { return answer[end...] }
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { throw Failure(description: "the driver does not answer") }
      answer += buffer[..<count]
    }
  }

  private static func value(in data: Data, of command: String) throws -> Any {
    let value = (try JSONSerialization.jsonObject(with: data) as? Object)?["value"] ?? NSNull()
    if let object = value as? Object, let error = object["error"] as? String {
      throw Failure(description: "\(command): \(error): \(object["message"] as? String ?? "")")
    }
    return value
  }
}
