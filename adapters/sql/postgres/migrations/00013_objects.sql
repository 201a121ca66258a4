-- Reports name what they show in one map, by the stage that made it.

-- +goose Up
UPDATE reports SET body = ((body::jsonb - 'stl' - 'glb' - 'thumbnail' - 'exports') || jsonb_build_object('objects', (
    SELECT coalesce(jsonb_object_agg(o.key, o.value), '{}')
    FROM jsonb_each(jsonb_build_object('stl', body::jsonb -> 'stl', 'glb', body::jsonb -> 'glb',
        'thumbnail', body::jsonb -> 'thumbnail') || coalesce(body::jsonb -> 'exports', '{}')) o
    WHERE coalesce(o.value ->> 'key', '') <> '')))::json;

-- +goose Down
UPDATE reports SET body = ((body::jsonb - 'objects') || jsonb_build_object('stl', body::jsonb #> '{objects,stl}',
    'glb', body::jsonb #> '{objects,glb}', 'thumbnail', body::jsonb #> '{objects,thumbnail}',
    'exports', (body::jsonb -> 'objects') - 'stl' - 'glb' - 'thumbnail'))::json;
