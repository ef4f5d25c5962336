import Foundation
import Testing

/// What somebody does with the page, and sees of it.
struct Browser: Sendable {
  let driver: WebDriver

  /// Keys as the protocol has them.
  enum Key: String {
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
    case pageUp = "\u{E00E}"
    case end = "\u{E010}"
    case home = "\u{E011}"
  }

  // MARK: Pages

  /// Opens an address in a window of this size, as large as can be seen.
  func open(
    _ address: String, width: Int = 1200, height: Int = 800, locale: String = "en-GB", zone: String = "UTC"
  ) throws {
    try driver.chromium(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    try driver.chromium("Emulation.setLocaleOverride", ["locale": locale])
    try driver.chromium("Emulation.setTimezoneOverride", ["timezoneId": zone])
    // What only differs behind the # would not be loaded.
    try driver.command("POST", "/url", ["url": "about:blank"])
    try driver.command("POST", "/url", ["url": address])
  }

  /// Opens a page of a history and waits for its messages, and for the list of conversations, which may come after them.
  func show(
    _ address: String, width: Int = 1200, height: Int = 800, locale: String = "en-GB", zone: String = "UTC"
  ) throws {
    try open(address, width: width, height: height, locale: locale, zone: zone)
    try wait(for: "document.querySelector('#rows .message') && document.querySelector('.conversation')")
  }

  /// Waits until an expression of JavaScript is true.
  func wait(for condition: String, seconds: Int = 60, at location: SourceLocation = #_sourceLocation) throws {
    let script = """
      const isSo = () => { try { return \(condition) } catch { return false } }
      for (const end = performance.now() + arguments[0]; performance.now() < end;) {
        if (isSo()) return true
        await new Promise(done => setTimeout(done, 10))
      }
      return false
      """
    let isSo = try driver.run(script, [seconds * 1000]) as? Bool == true
    try #require(isSo, "waited for: \(condition)", sourceLocation: location)
  }

  /// The value of an expression of JavaScript.
  func value<T>(
    _ expression: String, as type: T.Type = T.self, at location: SourceLocation = #_sourceLocation
  ) throws
    -> T
  {
    let value = try driver.run("return \(expression)")
    return try #require(value as? T, "\(expression) is \(value)", sourceLocation: location)
  }

  func text(_ selector: String) throws -> String {
    try value("document.querySelector('\(selector)').textContent")
  }

  /// What the scroll bar says of the place: a date, and the number of a message.
  func place() throws -> String {
    try value("document.querySelector('#scrollbar').ariaValueText")
  }

  func count(_ selector: String) throws -> Int {
    try value("document.querySelectorAll('\(selector)').length")
  }

  /// Waits until nothing is asked for and nothing moves.
  func settle(at location: SourceLocation = #_sourceLocation) throws {
    let script = """
      const places = () => {
        const { generation, first, rows } = state.list
        return [generation, first, rows.length, room.scrollTop, room.scrollHeight].join()
      }
      const end = performance.now() + 60_000
      for (let same = 0, last = ''; same < 8; same = places() === last ? same + 1 : 0, last = places()) {
        if (performance.now() > end) return false
        await new Promise(done => setTimeout(() => requestAnimationFrame(done), 25))
      }
      return true
      """
    let isStill = try driver.run(script) as? Bool == true
    try #require(isStill, "waited until nothing moves", sourceLocation: location)
  }

  /// The picture of what is seen, for people who look for what is wrong.
  func picture(to path: String) throws {
    let text = try driver.command("GET", "/screenshot") as? String ?? ""
    try Data(base64Encoded: text)?.write(to: URL(fileURLWithPath: path))
  }

  // MARK: Hands

  func click(_ selector: String) throws {
    let found = try driver.command("POST", "/element", ["using": "css selector", "value": selector])
    let id = (found as? WebDriver.Object)?[WebDriver.element] as? String ?? ""
    try driver.command("POST", "/element/\(id)/click")
  }

  /// Has the page print what is open on paper of its own, as far as a browser without a printer goes.
  func print() throws {
    try driver.run("window.print = () => { window.wasPrinted = true }")
    try type("p")
    try wait(for: "document.querySelector('.paper .go')")
    try click(".paper .go")
    try wait(for: "window.wasPrinted")
  }

  /// Types letters, one after the other, into what has the focus.
  func type(_ text: String) throws {
    let strokes = text.flatMap { letter in
      ["keyDown", "keyUp"].map { ["type": $0, "value": String(letter)] }
    }
    try act(["type": "key", "id": "keys", "actions": strokes])
  }

  func press(_ key: Key) throws { try type(key.rawValue) }

  /// Goes to a place with the pointer, presses, goes on along some places, and lets go unless it is to be held.
  func drag(along places: [(x: Int, y: Int)], isHeld: Bool = false) throws {
    var actions = places.map { place -> WebDriver.Object in
      ["type": "pointerMove", "duration": 20, "x": place.x, "y": place.y]
    }
    actions.insert(["type": "pointerDown", "button": 0], at: 1)
    if !isHeld { actions.append(["type": "pointerUp", "button": 0]) }
    let mouse: WebDriver.Object = [
      "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": actions,
    ]
    try act(mouse)
  }

  /// Lets go of all that is held.
  func letGo() throws { try driver.command("DELETE", "/actions") }

  /// Turns the wheel over the messages.
  func wheel(_ pixels: Int) throws {
    let turn: WebDriver.Object = [
      "type": "scroll", "x": 600, "y": 400, "deltaX": 0, "deltaY": pixels, "duration": 0,
    ]
    try act(["type": "wheel", "id": "wheel", "actions": [turn]])
  }

  private func act(_ source: WebDriver.Object) throws {
    try driver.command("POST", "/actions", ["actions": [source]])
  }

  // MARK: Rows

  /// A row on the screen.
  struct Row: Equatable {
    var id: String
    var number: Int
    var text: String
    /// Where it begins, in pixels below the head of the list.
    var top: Double
  }

  /// The row that is chosen.
  func selected() throws -> Row? { try rows(of: "#rows > .selected", onScreen: false).first }

  /// The rows on the screen, wholly or in part.
  func rows() throws -> [Row] { try rows(of: "#rows > .message", onScreen: true) }

  private func rows(of selector: String, onScreen: Bool) throws -> [Row] {
    let found: [WebDriver.Object] = try value(
      """
      (() => {
        const screen = document.getElementById('list').getBoundingClientRect()
        return [...document.querySelectorAll('\(selector)')].flatMap(element => {
          const { top, bottom } = element.getBoundingClientRect()
          return !\(onScreen) || (bottom > screen.top + 1 && top < screen.bottom - 1) ? [{ id: element.id.slice(1), number: Number(element.ariaPosInSet),
            text: element.querySelector('.text')?.textContent ?? '', top: top - screen.top + 0.0001 }] : []
        })
      })()
      """)
    return found.map { row in
      Row(
        id: row["id"] as? String ?? "", number: row["number"] as? Int ?? 0,
        text: row["text"] as? String ?? "",
        top: (row["top"] as? Double ?? .nan))
    }
  }
}

// MARK: - Windows

extension Browser {
  /// The name of the window that is looked at.
  func window() throws -> String { try driver.command("GET", "/window") as? String ?? "" }

  func look(at window: String) throws { try driver.command("POST", "/window", ["handle": window]) }

  /// Does something in a window of its own, which is closed then.
  func inNewWindow(_ work: () throws -> Void) throws {
    let first = try window()
    let made = try driver.command("POST", "/window/new", ["type": "tab"]) as? WebDriver.Object
    let new = made?["handle"] as? String ?? ""
    try look(at: new)
    defer {
      try? look(at: new)
      _ = try? driver.command("DELETE", "/window")
      try? look(at: first)
    }
    try work()
  }

  /// What the console has said since it was last asked.
  func messagesOfConsole() throws -> [String] {
    let entries = try driver.command("POST", "/se/log", ["type": "browser"]) as? [WebDriver.Object] ?? []
    return entries.compactMap { $0["message"] as? String }
  }

  /// Does something while each answer takes its time.
  func slowly(milliseconds: Int, _ work: () throws -> Void) throws {
    func delay(_ milliseconds: Int) throws {
      try driver.chromium("Network.enable")
      try driver.chromium(
        "Network.emulateNetworkConditions",
        ["offline": false, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1])
    }
    try delay(milliseconds)
    defer { try? delay(0) }
    try work()
  }
}
