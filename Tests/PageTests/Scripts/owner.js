// Names each place of the given scripts that changes what one of their objects holds, or reads what it does not have:
// what changes stands in `state` (state.js). Objects of `Site` keep what they have read of its files.
const typescript = require('typescript'), fs = require('node:fs'), path = require('node:path')
const { SyntaxKind } = typescript

const scripts = process.argv.slice(2).map((file) => ({
  file,
  source: typescript.createSourceFile(file, fs.readFileSync(file, 'utf8'), typescript.ScriptTarget.ES2022, true),
}))

/** The objects of functions at the top of the scripts, and what these are called. */
const objects = new Map()
for (const { file, source } of scripts.filter(({ file }) => path.basename(path.dirname(file)) !== 'Site')) {
  for (const statement of source.statements.filter(typescript.isVariableStatement)) {
    const { declarations, flags } = statement.declarationList
    for (const { name, initializer } of declarations) {
      if (!(flags & typescript.NodeFlags.Const)) {
        report(file, source, statement, `${name.getText()} stands beside state`)
      }
      if (!initializer || !typescript.isObjectLiteralExpression(initializer) || name.getText() === 'state') continue
      if (initializer.properties.some(typescript.isMethodDeclaration)) {
        objects.set(name.getText(), new Set(initializer.properties.map((each) => each.name?.getText())))
      }
    }
  }
}
// What search.js adds to it, when it is loaded.
objects.delete('search')

function report(file, source, node, what) {
  console.log(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`)
  process.exitCode = 1
}

const isAssigned = ({ parent, ...node }) =>
  typescript.isBinaryExpression(parent) && parent.left.pos === node.pos &&
  parent.operatorToken.kind >= SyntaxKind.FirstAssignment && parent.operatorToken.kind <= SyntaxKind.LastAssignment

for (const { file, source } of scripts) {
  const visit = (node, hidden) => {
    if (typescript.isFunctionLike(node)) hidden = new Set([...hidden, ...node.parameters.flatMap(namesIn)])
    if (typescript.isVariableDeclaration(node) && node.parent.parent.parent !== source) {
      namesIn(node).forEach((name) => hidden.add(name))
    }
    if (typescript.isPropertyAccessExpression(node) && typescript.isIdentifier(node.expression)) {
      const owner = node.expression.text, { text } = node.name, held = hidden.has(owner) ? null : objects.get(owner)
      if (held && isAssigned(node)) report(file, source, node, `${owner}.${text} is set: what changes stands in state`)
      else if (held && !held.has(text)) report(file, source, node, `${owner} has no ${text}`)
    }
    typescript.forEachChild(node, (child) => visit(child, hidden))
  }
  visit(source, new Set())
}

/** The names that a declaration brings. */
function namesIn({ name }) {
  return typescript.isIdentifier(name) ? [name.text] : name.elements.flatMap((each) => each.name ? namesIn(each) : [])
}
