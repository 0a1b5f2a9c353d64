-- A format for pandoc: it reads the tags of Universal Ctags and gives the reference, every public name with what the
-- comment above it says: its first sentence, its formula, its errors.

local lines_of = {}  -- by file

local function lines(file)
  if not lines_of[file] then
    lines_of[file] = {}
    for line in io.lines(file) do table.insert(lines_of[file], line) end
  end
  return lines_of[file]
end

-- ---- what ctags found -----------------------------------------------------------------------------------------------

-- "GRU\tnn/gru.hpp\t/^struct GRU {$/;"\tstruct\tline:37\tend:48" -> {name = "GRU", file = ..., kind = "struct", ...}
local function read_tag(text)
  local tag = {}
  tag.name, tag.file = text:match("^([^\t]*)\t([^\t]*)\t")
  tag.kind = text:match(';"\t(%a+)')
  for key, value in text:gmatch("\t(%a+):([^\t]*)") do tag[key] = value end
  tag.name = tag.name:gsub("^operator (%p+)$", "operator%1")
  tag.line = tonumber(tag.line)
  tag.last = tonumber(tag["end"] or tag.line)
  tag.scope = tag.scope and tag.scope:gsub("^%a+:", "") or ""
  return tag
end

local hidden = {}  -- what is private, and what stands in it

local function is_public(tag)
  local path = tag.scope .. "::" .. tag.name
  local inside = hidden[tag.file .. tag.scope]
  if inside or tag.access == "private" or tag.access == "protected" or path:find("::detail") or path:find("__anon") then
    hidden[tag.file .. path] = true
    return false
  end
  local is_deleted = lines(tag.file)[tag.last]:find("= delete;")
  return tag.kind ~= "namespace" and tag.kind ~= "macro" and not tag.name:find("^~") and not is_deleted
end

-- ---- comments -------------------------------------------------------------------------------------------------------

-- The lines of the comment above a declaration, without their slashes.
local function comment_above(tag)
  local source, number, comment = lines(tag.file), tag.line - 1, {}
  while source[number] and source[number]:find("^%s*template <") do number = number - 1 end
  while source[number] and source[number]:find("^%s*///") do
    table.insert(comment, 1, (source[number]:gsub("^%s*/// ?", "")))
    number = number - 1
  end
  return comment
end

-- What stands behind a member on its own line.
local function comment_behind(tag) return lines(tag.file)[tag.line]:match("%s//+ (.*)$") end

-- The comment at the top of a file.
local function comment_of_file(file)
  local comment = {}
  for _, line in ipairs(lines(file)) do
    local text = line:match("^// ?(.*)")
    if not text then break end
    table.insert(comment, text)
  end
  return comment
end

-- A comment's sentences, and its formulas: the lines that are set in by two blanks.
local function parts(comment)
  local prose, formula = {}, {}
  for _, line in ipairs(comment) do
    if line:find("^  ") then
      table.insert(formula, (line:gsub("^  ", "")))
    else
      table.insert(prose, line)
    end
  end
  local sentences = {}
  -- A full stop ends a sentence before a capital; "0 .. T" has none.
  local text = table.concat(prose, " "):gsub("([^%.][%.!?]) +(%u)", "%1\n%2")
  for sentence in text:gmatch("[^\n]+") do table.insert(sentences, sentence) end
  return sentences, formula
end

-- The first sentence and those that tell of shapes and errors.
local function summary(comment)
  local sentences, formula = parts(comment)
  local chosen = {}
  for i, sentence in ipairs(sentences) do
    if i == 1 or sentence:find("[Tt]hrows ") or sentence:find("->", 1, true) then table.insert(chosen, sentence) end
  end
  return table.concat(chosen, " "), formula
end

-- ---- the page -------------------------------------------------------------------------------------------------------

local function inlines(text)
  local blocks = pandoc.read(text:gsub("([\\%*_<>%[%]|])", "\\%1"), "commonmark").blocks
  return blocks[1] and blocks[1].content or pandoc.List()
end

-- As the house writes it and not as ctags does: "const Var & x,double p=1" -> "const Var& x, double p = 1"
local function spaced(text)
  return (text:gsub(" ([&*]+)", "%1"):gsub("([&*])(%w)", "%1 %2"):gsub(",(%S)", ", %1"))
end

local function declaration(tag)
  local of = spaced((tag.typeref or ""):gsub("^%a+:", ""))
  if tag.kind == "struct" or tag.kind == "class" or tag.kind == "enum" then return tag.kind .. " " .. tag.name end
  if tag.kind == "typedef" then return "using " .. tag.name .. " = " .. of end
  local signature = spaced(tag.signature or ""):gsub("(%w)=(%S)", "%1 = %2")
  return (of ~= "" and of .. " " or "") .. tag.name .. signature
end

local function entry(tag)
  local text, formula = "", {}
  if tag.kind ~= "enumerator" then text, formula = summary(comment_above(tag)) end
  if text == "" then text = comment_behind(tag) or "" end
  local line = pandoc.List({pandoc.Code(declaration(tag))})
  if text ~= "" then
    line:insert(pandoc.Str(":"))
    line:insert(pandoc.Space())
    line:extend(inlines(text))
  end
  local blocks = pandoc.List({pandoc.Plain(line)})
  if #formula > 0 then blocks:insert(pandoc.CodeBlock(table.concat(formula, "\n"), {class = "text"})) end
  return blocks
end

-- The entries of one scope in the order of the file; what a type holds is a list inside of its entry.
local function entries(tags, scope)
  local items, seen = pandoc.List(), {}
  for _, tag in ipairs(tags) do
    if tag.scope == scope and not seen[declaration(tag)] then
      seen[declaration(tag)] = true
      local blocks = entry(tag)
      local inner = entries(tags, scope .. "::" .. tag.name)
      if #inner > 0 then blocks:insert(pandoc.BulletList(inner)) end
      items:insert(blocks)
    end
  end
  return items
end

local function namespaces(tags)
  local names, known = {}, {}
  for _, tag in ipairs(tags) do known[tag.scope .. "::" .. tag.name] = true end
  for _, tag in ipairs(tags) do
    if not known[tag.scope] then
      known[tag.scope] = true
      table.insert(names, tag.scope)
    end
  end
  return names
end

local function section(file, tags)
  local blocks = pandoc.List({pandoc.Header(3, {pandoc.Link(file, "../" .. file)})})
  local about = parts(comment_of_file(file))
  if about[1] then blocks:insert(pandoc.Para(inlines(about[1]))) end
  for _, scope in ipairs(namespaces(tags)) do
    if scope ~= "attend" then blocks:insert(pandoc.Para({pandoc.Str("In "), pandoc.Code(scope), pandoc.Str(":")})) end
    blocks:insert(pandoc.BulletList(entries(tags, scope)))
  end
  return blocks
end

local introduction = [[
# Reference

Every public name of the headers, in the order of the files, with the first sentence of its comment, its formula and its
errors; the header tells the rest. All stand in the namespace `attend`, unless another is named. Made from the headers
by `./attend book --reference`.
]]

function Reader(input)
  local files, tags_of = {}, {}
  for text in tostring(input):gmatch("[^\n]+") do
    local tag = read_tag(text)
    if is_public(tag) then
      if not tags_of[tag.file] then
        table.insert(files, tag.file)
        tags_of[tag.file] = {}
      end
      table.insert(tags_of[tag.file], tag)
    end
  end
  local blocks = pandoc.read(introduction, "commonmark").blocks
  local folder
  for _, file in ipairs(files) do
    if file:match("^%a+") ~= folder then
      folder = file:match("^%a+")
      blocks:insert(pandoc.Header(2, folder))
    end
    blocks:extend(section(file, tags_of[file]))
  end
  return pandoc.Pandoc(blocks)
end
